// Git as the last line: whatever an agent runs, its commits, pushes and branch updates come through here. Hooks of git fire for people
// too; only where the environment says that an agent is at work is the call judged.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { quote } from '../hook-command.ts'
import { type InstallPlace, OWN_MARK, type TargetFile } from '../target.ts'

/** Variables that agents set for the programs they start. */
const AGENT_SIGNS = 'CLAUDECODE|AI_AGENT|GEMINI_CLI|QWEN_CODE|COPILOT_CLI|CODEX_[A-Z_]+|CURSOR_AGENT|OPENCODE|AGENT_ID|BELAY_ACTOR'

const DEADLINE_MS = 30_000

/** How each hook spells the command that git is carrying out. */
const COMMANDS = {
  'pre-commit': 'command="git commit"',
  'pre-push': 'command="git push $1"',
  // Fires for --no-verify too; `prepared` is the last moment at which it can refuse.
  'reference-transaction': `[ "$1" = prepared ] || exit 0
refs=$(sed -n 's|^[0-9a-f]* [0-9a-f]* \\(refs/heads/.*\\)$|\\1|p')
[ -n "$refs" ] || exit 0
command="git update-ref $(printf '%s' "$refs" | tr '\\n' ' ')"`,
} as const

export function isGitRepository(root: string): boolean {
  return existsSync(join(root, '.git'))
}

export function gitFiles({ projectRoot, shim }: InstallPlace): readonly TargetFile[] {
  const folder = hookFolder(projectRoot)
  return Object.entries(COMMANDS).map(([event, command]) => ({
    kind: 'own',
    path: join(folder, event),
    text: script({ event, command, shim }),
    mode: 0o755,
  }))
}

function script({ event, command, shim }: { readonly event: string; readonly command: string; readonly shim: string }): string {
  return `#!/bin/sh
# ${OWN_MARK} git: an agent's ${event} is judged by Belay.
env | grep -Eq '^(${AGENT_SIGNS})=' || exit 0
${command}
escaped=$(printf '%s' "$command" | sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g')
here=$(pwd | sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g')
printf '{"session_id":"git","cwd":"%s","tool_name":"Bash","tool_input":{"command":"%s"}}' "$here" "$escaped" |
  ${quote(shim)} --agent git --event ${event} --deadline-ms ${DEADLINE_MS}
`
}

/** core.hooksPath, else the repository's own folder, which worktrees share. */
function hookFolder(root: string): string {
  const git = gitFolder(join(root, '.git'))
  const set = /^\s*hookspath\s*=\s*(.+?)\s*$/im.exec(readIfThere(join(git, 'config')))?.[1]
  return set === undefined ? join(git, 'hooks') : resolve(root, set.replace(/^"|"$/g, ''))
}

/** In a worktree `.git` is a file that names a folder, which names the common one. */
function gitFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return path
  const named = /^gitdir: (.+)$/m.exec(readIfThere(path))?.[1]
  if (named === undefined) return path
  const own = resolve(dirname(path), named)
  const common = readIfThere(join(own, 'commondir')).trim()
  return common === '' ? own : resolve(own, common)
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
