// The first screen, as text, so that it costs no more than starting Node. A test holds it to the commands there are.

export const VERSION = '0.1.0'

/** `belay` alone: what fits on one screen. */
const FIRST_SCREEN = `belay ${VERSION}: one policy, one daemon, every agent

  belay init                 guard this project: a policy, the agents found here, the daemon
  belay doctor               prove that the guard works, with a remedy where it does not
  belay dashboard            see every agent and every decision, live
  belay approvals --watch    what waits for you
  belay why                  explain the last denial here
  belay explain -- COMMAND   how a shell command would be judged
  belay status               does it run, and which policy holds here

  belay help                 every command
  belay help TOPIC           those of one topic:
                             TOPICS
  belay COMMAND --help       one command
`

export const HELP = `belay ${VERSION}: one policy, one daemon, every agent

usage: belay COMMAND [options]     (belay COMMAND --help explains one, belay help TOPIC a part of this list)

Set up
  init [--undo]                    policy, daemon and hooks for the agents found here
  install AGENT, uninstall AGENT   put our hook into an agent's own files, take it out
  import AGENT                     take over an agent's hooks and rules
  doctor [AGENT]                   is everything wired, and what to do if not
  conform [AGENT]                  does this version of an agent do what it is told
  backup FILE, restore FILE        the whole store, while it runs
  completion bash | zsh | fish     what the Tab key offers, for your shell

Daemon
  up [--detach] [--open]           start it; with the dashboard in your browser
  dashboard [--print]              see every agent and every decision, live
  down                             stop it
  status                           does it run, and which policy holds here
  logs [-f]                        what it did
  hook --agent A --event E         one hook call (agents call this)
  mcp [--http]                     verbs as an MCP server (agents load this)
  mcp-proxy -- COMMAND             judge the tool calls of any MCP server
  mcp pin, mcp diff [SERVER]       what its servers say of their tools, and what has changed
  mcp approve SERVER [TOOL]        pin it as it is now

Policy
  genesis init                     write a policy for this project
  genesis validate [FILE]          is it good, and if not, everything that is wrong
  genesis show [--actor A]         the policy in force here
  hooks list                       every hook, in the order they run
  hooks running                    those that the daemon runs now; hooks cancel ID stops one
  hooks test-pattern PATTERN TOOL ARGUMENT
                                   does a pattern match a call
  hooks simulate --tool T --args TEXT --actor A
                                   what would happen to a call, and why
  explain -- COMMAND               how a shell command is judged, piece by piece
  allow | ask | deny PATTERN       add a rule
  policy trust [FILE]              accept a policy as it is now, or that it is gone (--none)
  policy test [FILE]               run the tests that stand beside the policy
  policy lint, policy prove        what a policy lets through that it should not
  policy diff A B                  what a change of a policy changes
  replay                           judge what was recorded by another policy: what would change
  learn                            rules that allow what was used here
  guardrails list                  checks that can be switched on, and which are
  guardrails explain NAME          what one does, and how it is set
  guardrails try NAME --tool T --input JSON
                                   what it would say to a call
  guardrails calls                 what tool_ledger has written down of calls
  config inspect FILE              what a hook configuration of any agent says
  decide --batch                   judge one JSON call a line, for programs

Work
  effort start SKILL [--mode M] [--task DIR] [--for TASK]
                                   begin a run of a skill
  effort phase NEXT [--proof JSON] go on to its next phase
  effort take MACHINE/ID           go on with an effort of another machine of the team
  effort finish                    end it
  effort inject TEXT               a note its agent reads at its next tool call
  effort list, effort show         runs of skills, their phases and artifacts
  log TEXT                         a progress entry; resets the heartbeat
  dehydrate [JSON|-]               hand over to the next session
  session list, session show       context windows, each linked to the last
  session finish [--dehydrate JSON]
                                   end yours
  task list, task show DIR         directories in which skills were run
  agent list, agent show ID        who works here, and how it goes
  agent bind ID ROLE [--label TEXT]
                                   give an agent a role: eval "$(belay agent bind ...)"
  directive list                   files with rules for this directory
  directive discover PATH          those that hold for a path
  skill list, skill show NAME      what SKILL.md files describe
  pause DURATION                   decide nothing for a while, record everything

Fleet
  run [--agent-id ID] [--actor ROLE] -- COMMAND
                                   run an agent, in a role; started anew when its window is full
  fleet [--watch]                  every agent, what needs a person first
  fleet tmux [--watch]             the same as colours of tmux panes
  statusline                       a line for its status line (agents call this)
  files QUERY                      files that fit what was typed (agents call this)

Accountability
  capture TEXT                     note something worth keeping
  commit TEXT [--review] [--tier T]
                                   promise a piece of work
  claim ID, release ID             take it on, give it back
  evidence ID [--kind K] SUMMARY   attach proof
  annotate ID TEXT, link A B       say something about it, tie two together
  submit ID, close ID              hand it in; finish it where no review is needed
  approve ID, reject ID REASON     review what somebody else did
  reopen ID REASON, dismiss ID REASON
                                   open it again, drop it
  triage ID [--tier T]             set tier, review and tags
  commitments list, commitments show ID
                                   what was promised, and how it stands
  commitments import FILE, commitments export
                                   ledgers of JSONL envelopes
  approvals list [--watch]         calls that wait for a person
  approvals allow ID [--always P]  let exactly this call through, once
  approvals deny ID                refuse it
  why [ID] [--all]                 explain a decision; default: the last denial in this project

Ledger
  ledger tail, ledger query        what happened, latest first or by question
  ledger show ID                   one entry
  ledger verify [FILE]             is the record whole and unchanged
  ledger prove ID                  an inclusion proof that others can check
  ledger export                    JSONL or CSV
  ledger checkpoint                seal it now
  ledger gc                        trim by retention now; proofs stay valid
  key rotate                       sign with a new key from now on

Team
  join URL TOKEN, leave            send the ledger to a hub, which checks and cosigns it
  team status                      how much of it the hub holds
  team approvals                   what waits for a person on all machines
  team decide MACHINE ID allow     allow or deny it
  policy status                    which policy of the team holds here
  policy publish [FILE]            sign a policy and roll it out to the team
  policy rollback VERSION          publish an earlier one again
  policy pull, policy pin          fetch it now, or stay on the one in force
  policy key                       the key that you publish with

Start here
  belay genesis init
  belay explain -- 'git add . && git push --force'
  belay deny "Bash(npm publish *)"

Every command that reads has --json.
Exit codes: 0 yes, 1 no, 2 the command could not work, 3 ask.
`

/** One heading of the list with what stands below it; null: no such topic. */
export function helpTopic(topic: string): string | null {
  return sections().find(({ name }) => name === topic)?.text ?? null
}

export function firstScreen(): string {
  return FIRST_SCREEN.replace('TOPICS', topics().join(', '))
}

/** For a terminal of this many columns: where a line has no room for what it explains, that stands below it. */
export function foldHelp(text: string, width: number | undefined): string {
  if (width === undefined || width <= 0 || text.split('\n').every(line => line.length <= width)) return text
  return text
    .split('\n')
    .flatMap(line => {
      const [, name, words] = /^( *\S.*?) {2,}(\S.*)$/.exec(line) ?? [null, /^ {8}/.test(line) ? null : line, line.trim()]
      return [...(name === null ? [] : fold(name, width, '  ')), ...(name === line ? [] : fold(`    ${words}`, width, '    '))]
    })
    .join('\n')
}

function fold(line: string, width: number, indent: string): readonly string[] {
  const lines = ['']
  for (const word of line.split(/(?<=\S) /)) {
    const last = lines.at(-1) ?? ''
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}${word}`)
  }
  return lines
}

export function topics(): readonly string[] {
  return sections().map(({ name }) => name)
}

/** `Set up` is the topic `setup`. */
function sections(): readonly { readonly name: string; readonly text: string }[] {
  return HELP.split('\n\n')
    .filter(part => /^[A-Z][a-z ]+\n {2}\S/.test(part) && !part.startsWith('Start here'))
    .map(part => ({ name: (part.split('\n')[0] ?? '').toLowerCase().replace(' ', ''), text: `${part}\n` }))
}
