// The tools of the example: each says what its input must look like and does one thing.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Tool } from '@belay/core'
import { z } from 'zod'

const run = promisify(execFile)

export const SCHEMAS = {
  Read: z.object({ file_path: z.string().min(1) }),
  Bash: z.object({ command: z.string().min(1) }),
}

export function createTools(cwd: string): readonly Tool[] {
  return [
    {
      name: 'Read',
      schema: SCHEMAS.Read,
      execute: ({ file_path }) => readFile(resolve(cwd, String(file_path)), 'utf8'),
    },
    {
      name: 'Bash',
      schema: SCHEMAS.Bash,
      async execute({ command }, { signal }) {
        const { stdout } = await run('sh', ['-c', String(command)], { cwd, timeout: 60_000, ...(signal === undefined ? {} : { signal }) })
        return stdout
      },
    },
  ]
}
