// The directories a call touches: of every file it names, as the judge of permissions reads the call, and where a command runs.
import { compileRules, judge, type ToolCall } from '@belay/core/policy'
import { judgeContext } from '../config/genesis-context.ts'
import { folderOf } from './directive.ts'
import type { CallPlace } from './engine-verb.ts'

const NO_RULES = compileRules({ allow: [], ask: [], deny: [], default: 'none', hash: '' })
const MOST = 20

export function touchedFolders(call: ToolCall, place: CallPlace): readonly string[] {
  const { root, cwd, belayHome, userHome } = place
  const { parts } = judge(call, NO_RULES, judgeContext({ root, cwd, belayHome, env: { HOME: userHome }, hasPolicy: false }))
  const files = parts.flatMap(part => (part.path === undefined ? [] : [folderOf(part.path.lexical)]))
  return [...new Set(call.tool === 'Bash' || files.length === 0 ? [cwd, ...files] : files)].slice(0, MOST)
}
