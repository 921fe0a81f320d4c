// One request as it will run, why it asks, who asks, and the decision.
import type { Approval } from '#page/api.ts'
import type { Tried } from '#page/policy.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { Command } from '../part/command.tsx'
import { Diff } from '../part/diff.tsx'
import { Icon } from '../part/icon.tsx'
import { Json } from '../part/json.tsx'
import { Loading } from '../part/loading.tsx'
import { inProject, plainLine, plainText, withoutProject, withoutRule } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { CodeBlock } from '../part/text.tsx'
import { WaitsFor } from '../part/waits-for.tsx'
import { type CallShape, shapeOf } from './call-shape.ts'
import { DecisionBar } from './decision-bar.tsx'
import { Facts } from './facts.tsx'
import { ruleParts } from './inbox.ts'
import { folderName } from './request-list.tsx'
import { StateMark } from './state-mark.tsx'

export interface RequestDetailProps {
  readonly id: string
  readonly isHistory: boolean
  /** Keys belong to what is selected, not to this one. */
  readonly hasSelection: boolean
  readonly onDecided: () => void
}

export function RequestDetail({ id, isHistory, hasSelection, onDecided }: RequestDetailProps) {
  const found = useVerb('page.approval', { id })
  // What was read for another request is never shown over these buttons.
  const data = found.data?.request.id === id ? found.data : undefined
  return (
    <article aria-label={`Request ${id}`} className="flex min-h-0 flex-1 flex-col">
      <Link
        page="approvals"
        params={isHistory ? { show: 'history' } : {}}
        className="flex min-h-11 items-center gap-1 border-b bg-surface px-3 text-accent md:hidden"
      >
        <Icon name="left" /> All requests
      </Link>
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      {data === undefined && found.error === null && <Loading />}
      {data !== undefined && (
        <>
          <div className="thin-scroll flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
            <Title request={data.request} />
            <Call request={data.request} tried={data.tried} />
            <Why request={data.request} />
            <Facts request={data.request} />
          </div>
          <DecisionBar request={data.request} suggested={data.suggested} hasKeys={!hasSelection} onDecided={onDecided} />
        </>
      )}
    </article>
  )
}

function Title({ request }: { readonly request: Approval }) {
  const { actor, agentId, tool, root, kind, commitment, state, expiresAt, heldUntil } = request
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <h2 className="text-large">
        <strong className="font-semibold">{plainLine(agentId === '' ? actor : agentId, 80)}</strong>{' '}
        {kind === 'gate' ? (
          <>is done with {plainLine(commitment ?? 'its commitment', 80)}, which waits for an approver</>
        ) : (
          <>
            wants to use <strong className="font-semibold">{plainLine(tool ?? 'a tool', 80)}</strong> in {folderName(root)}
          </>
        )}
      </h2>
      <div className="flex items-center gap-3">
        <StateMark state={state} />
        {state === 'pending' && <WaitsFor heldUntil={heldUntil} expiresAt={expiresAt} isGate={kind === 'gate'} />}
      </div>
    </header>
  )
}

function Call({ request, tried }: { readonly request: Approval; readonly tried: Tried | null }) {
  const shape = shapeOf(request.tool, request.input)
  const hasRest = Object.keys(shape.rest).length > 0
  if (request.kind === 'gate' && !hasRest) return null
  return (
    <Section title={shape.kind === 'change' ? plainLine(shape.path, 200) : 'What would run'}>
      <Shape shape={shape} tried={tried} />
      {hasRest && <Json value={shape.rest} label={shape.kind === 'fields' ? 'input' : 'other fields'} />}
      {tried !== null && <Effects tried={tried} />}
    </Section>
  )
}

function Shape({ shape, tried }: { readonly shape: CallShape; readonly tried: Tried | null }) {
  if (shape.kind === 'command') {
    const parts = tried?.command === shape.command ? tried.parts : []
    return (
      <div className="rounded border bg-surface px-3 py-2">
        <Command command={shape.command} parts={parts} />
      </div>
    )
  }
  if (shape.kind === 'patch') return <CodeBlock text={shape.text} label="patch" />
  if (shape.kind !== 'change') return null
  return (
    <>
      {shape.changes.map(({ before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the edits of one call never move
        <Diff key={index} before={before} after={after} />
      ))}
    </>
  )
}

/** Files that parts of it would touch, where the real path is another one. */
function Effects({ tried }: { readonly tried: Tried }) {
  const files = tried.parts.filter(({ lexicalPath, realPath }) => lexicalPath !== null && realPath !== null && lexicalPath !== realPath)
  if (files.length === 0) return null
  return (
    <ul className="text-small">
      {files.map(({ lexicalPath, realPath, what }) => (
        <li key={`${what} ${lexicalPath}`} className="mono wrap-anywhere">
          {plainLine(lexicalPath ?? '')} <span className="text-ask">is really</span> {plainLine(realPath ?? '')}
        </li>
      ))}
    </ul>
  )
}

const ORIGINS: Readonly<Record<string, string>> = {
  default: 'No rule matches this call, and the policy asks where none does.',
  hook: 'A hook wants a person to look at this.',
  'may-match': 'A rule may match this call; what it really does cannot be told from its text.',
}

/** Without its effect: `ask Bash(x)`. */
function ruleText(text: string): string {
  return text.replace(/^(?:allow|ask|deny) /, '')
}

function Why({ request: { reason, rule, origin, root } }: { readonly request: Approval }) {
  const parts = rule === null ? null : ruleParts(rule)
  const said = ORIGINS[origin]
  return (
    <Section title="Why it asks">
      {parts !== null && (
        <p className="flex flex-wrap items-baseline gap-x-3">
          <code className="mono text-ask wrap-anywhere">{plainLine(parts.text)}</code>
          {parts.place !== null && <span className="mono text-faint wrap-anywhere">{plainLine(withoutProject(parts.place, root))}</span>}
        </p>
      )}
      {said !== undefined && <p>{said}</p>}
      <p className="whitespace-pre-wrap text-quiet wrap-anywhere">
        {plainText(withoutRule(inProject(reason, root), parts === null ? null : ruleText(parts.text)), 2000)}
      </p>
    </Section>
  )
}
