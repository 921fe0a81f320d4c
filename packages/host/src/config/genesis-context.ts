// Where calls are judged: the project, the directory, the real file system, and the home that agents may not touch.

import { homedir } from 'node:os'
import { createFileView } from '@belay/core/match'
import type { JudgeContext } from '@belay/core/policy'
import { neededFiles, ownFiles } from './own-files.ts'

export interface JudgePlace {
  readonly root: string
  readonly cwd: string
  readonly belayHome: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Self-protection acts whenever a policy is in force. */
  readonly hasPolicy: boolean
}

export function judgeContext({ root, cwd, belayHome, env, hasPolicy }: JudgePlace): JudgeContext {
  return {
    root,
    cwd,
    home: env.HOME || homedir(),
    files: createFileView(),
    belayHome,
    ownFiles: ownFiles(),
    // Only protection asks for them.
    neededFiles: hasPolicy ? neededFiles() : [],
    selfProtection: hasPolicy,
    platform: process.platform,
  }
}
