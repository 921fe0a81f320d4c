// The policy of one project: rules and hooks as they hold, and a playground to change them in. `from` is a recorded call to try.
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { setParam, useView } from '../frame/url.ts'
import { useFrame } from '../frame/use-frame.ts'
import { Empty } from '../part/empty.tsx'
import { Select } from '../part/field.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Denials } from './denials.tsx'
import { Notices } from './notices.tsx'
import { Pipeline } from './pipeline.tsx'
import { Playground } from './playground.tsx'
import { RuleTables } from './rule-tables.tsx'

const VIEWS = [
  { show: null, name: 'Rules' },
  { show: 'denials', name: 'Denials' },
  { show: 'hooks', name: 'Hooks' },
  { show: 'playground', name: 'Playground' },
] as const

/** Hits grow, and the file may be changed by somebody else. */
const EVERY_MS = 5000

export function PolicyPage() {
  const { params } = useView()
  const frame = useFrame().data
  const projects = frame?.projects ?? []
  const root = params.get('root') ?? projects[0] ?? null
  const from = params.get('from')
  const show = params.get('show') ?? (from === null ? null : 'playground')
  if (root === null) return frame === undefined ? <Loading /> : <NoProject />
  const choices = projects.includes(root) ? projects : [root, ...projects]
  return (
    <div className="flex h-full min-h-0 flex-col">
      <nav aria-label="Parts of the policy" className="flex shrink-0 flex-wrap items-center gap-1 border-b bg-surface px-3 py-1">
        {VIEWS.map(view => (
          <Link
            key={view.name}
            page="policy"
            params={{ root: params.get('root'), show: view.show }}
            aria-current={view.show === show ? 'page' : undefined}
            className={`flex min-h-7 items-center rounded px-2 ${view.show === show ? 'bg-raised font-semibold' : 'text-quiet hover:bg-hover'}`}
          >
            {view.name}
          </Link>
        ))}
        <span className="ml-auto">
          <Select
            label="project"
            value={root}
            options={choices.map(path => ({ value: path, text: plainLine(path.split('/').filter(Boolean).slice(-2).join('/'), 60) }))}
            onValue={path => setParam('root', path, { replace: false })}
            className="max-w-52"
          />
        </span>
      </nav>
      <Loaded key={root} root={root} show={show} from={from === null ? null : Number(from)} />
    </div>
  )
}

function Loaded({ root, show, from }: { readonly root: string; readonly show: string | null; readonly from: number | null }) {
  const { params } = useView()
  const found = useVerb('page.policy', { root }, { refetchInterval: EVERY_MS })
  const policy = found.isPlaceholderData ? undefined : found.data
  if (policy === undefined) return found.error === null ? <Loading /> : <Problem error={found.error} retry={() => void found.refetch()} />
  return (
    <div className="thin-scroll min-h-0 flex-1 overflow-y-auto">
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      <Notices policy={policy} isFixable={show !== 'playground'} />
      {show === 'playground' && <Playground policy={policy} from={from} {...broughtAlong(params)} onSaved={() => void found.refetch()} />}
      {show === 'hooks' && <Pipeline policy={policy} />}
      {show === 'denials' && <Denials root={root} />}
      {!VIEWS.some(view => view.show !== null && view.show === show) && <RuleTables policy={policy} />}
    </div>
  )
}

/** From a group of denials: its calls, and the line of its rule. */
function broughtAlong(params: URLSearchParams): { readonly calls: readonly number[]; readonly line: number | null } {
  const calls = (params.get('calls') ?? '')
    .split(',')
    .map(Number)
    .filter(seq => Number.isInteger(seq) && seq > 0)
  const line = Number(params.get('line') ?? 0)
  return { calls, line: Number.isInteger(line) && line > 0 ? line : null }
}

function NoProject() {
  return (
    <Empty title="No project yet" commands={['belay init', 'belay genesis validate']}>
      A project appears here when an agent works in it. This writes a policy for the folder you are in, and checks it.
    </Empty>
  )
}
