// What a denied agent is told when a whole kind of work is not its role's: the next step, not only the refusal.
import type { Rule } from '../rule.ts'

type Role = 'architect' | 'auditor'
type Work = 'write' | 'run'

const MESSAGES: Readonly<Record<Role, Readonly<Record<Work, string>>>> = {
  architect: {
    write: 'Architects cannot write files. Create a commitment for an Executor.',
    run: 'Architects cannot run commands. Create a commitment for an Executor.',
  },
  auditor: {
    write: 'Auditors cannot write files. Reject the commitment and say what an Executor should change.',
    run: 'Auditors cannot run commands. Ask an Executor to attach the output as evidence.',
  },
}

const WRITING = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'apply_patch', 'write_file', 'replace'])
const RUNNING = new Set(['Bash', 'shell', 'run_shell_command', 'exec'])

/** Only for a deny of every call of a tool: a narrower one says nothing about the role. */
export function roleMessage(rule: Rule, actor: string, blockRole: string | null): string | null {
  if (rule.effect !== 'deny' || rule.spec !== null) return null
  const role = roleOf(blockRole) ?? roleOf(actor)
  const work = rule.tools.some(tool => WRITING.has(tool)) ? 'write' : rule.tools.some(tool => RUNNING.has(tool)) ? 'run' : null
  return role === null || work === null ? null : MESSAGES[role][work]
}

/** `agent:architect`, `agent:claude-architect`, `architect`. */
function roleOf(name: string | null): Role | null {
  const match = /(?:^|[:-])(architect|auditor)$/.exec(name ?? '')
  return match === null ? null : match[1] === 'architect' ? 'architect' : 'auditor'
}
