// The pipeline: for each event the hooks in the order they run, as `belay hooks list` lists them, and for a typed call which of them would
// run, which not and why, and what the rules say, as `belay hooks simulate` does.
import type { PageApi } from '#page/api.ts'
import type { HookView, PolicyView } from '#page/policy.ts'
import { useSettled } from '../approvals/use-settled.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { useParam } from '../frame/url.ts'
import { Empty } from '../part/empty.tsx'
import { Select, TextField } from '../part/field.tsx'
import { inProject, plainLine, withoutRule } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { KNOWN_TOOLS } from './call-fields.ts'
import { marksOfHook } from './group-rules.ts'
import { HookTable } from './hook-table.tsx'
import { OnlyMarked } from './only-marked.tsx'

type Simulation = PageApi['page.simulate']['result']

const PAUSE_MS = 250
const ACTOR = 'agent:claude-code'

/** As they come in a session. */
const ORDER = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'Stop',
  'SessionEnd',
]

export function Pipeline({ policy }: { readonly policy: PolicyView }) {
  const [only] = useParam('only')
  const { hooks, budgetMs } = policy
  const [tool, setTool] = useParam('tool')
  const [args, setArgs] = useParam('call')
  const [event, setEvent] = useParam('event-name')
  const typed = { event: event ?? 'PreToolUse', tool: tool ?? 'Bash', args: args ?? '' }
  const events = eventsOf(hooks)
  const { simulation, error } = useSimulation(policy.root, typed)
  if (hooks.length === 0) return <NoHooks />
  const shown = hooks.filter(hook => only === null || marksOfHook(hook, budgetMs).length > 0)
  return (
    <div className="flex flex-col gap-3 p-3">
      <div className="flex flex-wrap items-center gap-2">
        <TextField
          label="A call"
          placeholder="git push origin main"
          value={typed.args}
          onText={text => setArgs(text)}
          className="mono w-80 max-w-full"
        />
        <div className="flex gap-2">
          <Select label="tool" hideLabel value={typed.tool} options={KNOWN_TOOLS.map(option)} onValue={setTool} />
          <Select label="event" hideLabel value={typed.event} options={events.map(option)} onValue={setEvent} />
        </div>
        <span className="ml-auto">
          <OnlyMarked text="only hooks that fail, are slow, or never ran" />
        </span>
      </div>
      {error !== null && <Problem error={error} />}
      {events.map(name => (
        <div key={name} className="flex flex-col gap-1">
          <h2 className="flex flex-wrap items-baseline gap-2">
            <span className="font-semibold">{plainLine(name, 60)}</span>
            {name === typed.event && simulation !== null && <Outcome simulation={simulation} root={policy.root} />}
          </h2>
          <HookTable
            event={name}
            hooks={shown.filter(hook => hook.event === name)}
            policy={policy}
            simulation={name === typed.event ? simulation : null}
          />
        </div>
      ))}
    </div>
  )
}

function useSimulation(root: string, typed: { readonly event: string; readonly tool: string; readonly args: string }) {
  const asked = JSON.parse(useSettled(JSON.stringify(typed), PAUSE_MS)) as typeof typed
  const found = useVerb('page.simulate', { root, actor: ACTOR, ...asked }, { enabled: asked.args !== '' })
  return { simulation: typed.args === '' ? null : (found.data ?? null), error: found.error }
}

function Outcome({ simulation, root }: { readonly simulation: Simulation; readonly root: string }) {
  const { decision, reason, permissions } = simulation

  return (
    <span role="status" className="flex min-w-0 flex-wrap items-baseline gap-2 text-small">
      <VerdictMark verdict={decision} />
      <span className="text-quiet wrap-anywhere">{plainLine(withoutRule(inProject(reason, root), permissions?.rule ?? null), 300)}</span>
      {permissions !== null && permissions.rule !== null && (
        <span className="text-faint">
          rules: {permissions.decision} by <span className="mono">{plainLine(permissions.rule, 120)}</span>
        </span>
      )}
    </span>
  )
}

function eventsOf(hooks: readonly HookView[]): readonly string[] {
  const place = (event: string) => (ORDER.includes(event) ? ORDER.indexOf(event) : ORDER.length)
  return [...new Set(hooks.map(({ event }) => event))].sort((a, b) => place(a) - place(b) || a.localeCompare(b))
}

function option(value: string) {
  return { value, text: plainLine(value, 60) }
}

function NoHooks() {
  return (
    <Empty title="No hooks" commands={['belay genesis show', 'belay guardrails list']}>
      Hooks run around calls: they capture evidence, rewrite, check, ask. They stand in genesis.key under{' '}
      <code className="mono">hooks</code>.
    </Empty>
  )
}
