// Git as the last line: whatever an agent runs, its commits, pushes and branch updates come through here. Hooks of git fire for people
// too; only where the environment says that an agent is at work is the call judged.
import { join, resolve } from 'node:path'
import { brokenClient, PROOF, quote } from '../hook-command.ts'
import { type InstallPlace, OWN_MARK, type TargetFile } from '../target.ts'

/** Variables that agents set for the programs they start; CODEX_HOME is one that people set. */
const AGENT_SIGNS = 'CLAUDECODE|AI_AGENT|GEMINI_CLI|QWEN_CODE|COPILOT_CLI|CODEX_[A-Z_]+|CURSOR_AGENT|OPENCODE|AGENT_ID|BELAY_ACTOR'

const DEADLINE_MS = 30_000

/** How each hook spells the command that git is carrying out. */
const COMMANDS = {
  'pre-commit': 'command="git commit"',
  // Git tells which branches go where on stdin; an update that throws commits away is a forced one, however it was asked for.
  'pre-push': `force=
names=
while read -r from new to old; do
  name=\${to#refs/heads/}
  case $new in
    *[!0]*) case $old in *[!0]*) git merge-base --is-ancestor "$old" "$new" 2>/dev/null || force=' --force' ;; esac ;;
    *) name=:$name ;;
  esac
  names="$names $name"
done
command="git push$force $1$names"`,
  // Fires for --no-verify too; `prepared` is the last moment at which it can refuse.
  'reference-transaction': `[ "$1" = prepared ] || exit 0
refs=$(sed -n 's|^[0-9a-f]* [0-9a-f]* \\(refs/heads/.*\\)$|\\1|p')
[ -n "$refs" ] || exit 0
command="git update-ref $(printf '%s' "$refs" | tr '\\n' ' ')"`,
} as const

export function isGitRepository(root: string): boolean {
  return hookFolder(root) !== null
}

/** None where there is no repository. */
export function gitFiles({ projectRoot, shim }: InstallPlace): readonly TargetFile[] {
  const folder = hookFolder(projectRoot)
  if (folder === null) return []
  return Object.entries(COMMANDS).map(([event, command]) => ({
    kind: 'own',
    path: join(folder, event),
    text: script({ event, command, shim }),
    mode: 0o755,
    maySkip: true,
  }))
}

function script({ event, command, shim }: { readonly event: string; readonly command: string; readonly shim: string }): string {
  return `#!/bin/sh
# ${OWN_MARK} git: an agent's ${event} is judged by Belay.
PATH=\${PATH:+$PATH:}/usr/bin:/bin
env | grep -v '^CODEX_HOME=' | grep -Eq '^(${AGENT_SIGNS})=' || exit 0
${command}
escaped=$(printf '%s' "$command" | sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g')
here=$(pwd | sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g')
printf '{"session_id":"git %s","cwd":"%s","tool_name":"Bash","tool_input":{"command":"%s"}}' "$here" "$here" "$escaped" |
  ${quote(shim)} --agent git --event ${event} --deadline-ms ${DEADLINE_MS} --proof ${PROOF}
case $? in ${PROOF}) exit 0 ;; ${PROOF + 2}) exit 2 ;; esac
echo ${quote(brokenClient('git'))} >&2
exit 2
`
}

/** Where git itself looks: core.hooksPath from any of its files, worktrees, a folder below the root. Null: this is no repository. */
function hookFolder(root: string): string | null {
  const { GIT_DIR, GIT_WORK_TREE, ...env } = process.env
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout } = spawnSync('git', ['rev-parse', '--git-path', 'hooks'], { cwd: root, env, encoding: 'utf8' })
  return status === 0 ? resolve(root, stdout.replace(/\n$/, '')) : null
}
