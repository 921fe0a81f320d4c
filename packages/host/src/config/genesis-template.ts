// The text of a first policy: small enough to read in a minute, with a reason beside each part.
import type { Stack } from './project-stack.ts'

export function renderPolicy(stacks: readonly Stack[]): string {
  return `# yaml-language-server: $schema=schema/genesis.json
# What agents may do in this project. Check it with: belay genesis validate
# Try a command: belay explain -- 'rm -rf build'. More about policies: belay help policy
version: "2.0"

hooks:
  post_tool_use:
    # Every change of a file and every command becomes evidence in the ledger.
    - matcher: "Write|Edit"
      type: evidence_capture
      config: { ledger: true, kind: file_change }
    - matcher: "Bash"
      type: evidence_capture
      config: { ledger: true, kind: command_execution }

permissions:
  # What happens when no rule matches. none: the agent's own flow decides, as it does without Belay.
  # Stricter: ask (a person is asked), deny.
  default: none

  actors:
    # Every agent. A block for one role goes beside it: "agent:architect", "agent:auditor", ...
    "agent:*":
      # deny beats ask, ask beats allow, whatever the order here.
      deny:
        - rule: "Bash(rm -rf *)"
          message: "Recursive force delete is off limits. Remove the files by name."
          match: ["rm -rf build", "cd /tmp && rm -fr x"]
          not_match: ["rm notes.txt"]
        - "Bash(sudo *)"
        - "Bash(git push --force *)"
        - "Bash(git reset --hard *)"
        - "Bash(chmod -R 777 *)"
        - "Write(.env*)"
        - "Write(*.pem)"
        - "Read(~/.ssh/**)"
        - "Read(~/.aws/credentials)"

      ask:
        - "Bash(git push *)"
        - "Read(.env*)"
${list(stacks.flatMap(stack => stack.careful))}
      allow:
        - "Read(*)"
        - "Grep"
        - "Glob"
        - "Bash(git status *)"
        - "Bash(git diff *)"
        - "Bash(git log *)"
        - "Bash(git add *)"
        - "Bash(ls *)"
${list(stacks.flatMap(stack => stack.safe))}`
}

function list(commands: readonly string[]): string {
  return commands.map(command => `        - "Bash(${command})"\n`).join('')
}
