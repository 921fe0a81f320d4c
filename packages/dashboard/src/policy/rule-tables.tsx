// Every permission rule by the file it stands in, with how often it decided.
import type { PolicyView, RuleView } from '#page/policy.ts'
import { useParam } from '../frame/url.ts'
import { Age } from '../part/age.tsx'
import { Badge } from '../part/badge.tsx'
import { Empty } from '../part/empty.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { Cell, Table, TableRow, WIDE } from '../part/table.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { groupRules, lineOf, marksOfRule, type RuleGroup } from './group-rules.ts'
import { MarkedCell } from './marks.tsx'
import { OnlyMarked } from './only-marked.tsx'

const OWNERS = { team: 'Team', machine: 'Machine', user: 'Yours', project: 'Project' } as const

export function RuleTables({ policy }: { readonly policy: PolicyView }) {
  const [only] = useParam('only')
  const isWanted = (rule: RuleView) => only === null || marksOfRule(rule, policy.countedDays).length > 0
  const groups = groupRules(policy.files, policy.rules)
  if (policy.files.length === 0 && policy.rules.length === 0)
    return (
      <Empty title="No policy holds here" commands={['belay init', 'belay deny "Bash(git push *)"']}>
        Without one the agent decides as if Belay were not there. The first command writes a policy to start from, the second adds a rule.
      </Empty>
    )
  return (
    <div className="flex flex-col gap-5 p-3">
      <OnlyMarked text="only rules that do nothing" />
      {groups.map(group => (
        <Group key={group.file?.file ?? ''} group={{ ...group, rules: group.rules.filter(isWanted) }} policy={policy} />
      ))}
    </div>
  )
}

function Group({ group: { file, rules }, policy }: { readonly group: RuleGroup; readonly policy: PolicyView }) {
  const title = file === null ? 'Elsewhere' : `${OWNERS[file.owner]}: ${plainLine(file.file)}`
  const columns = [
    { name: 'effect', className: 'w-24' },
    { name: 'rule' },
    { name: 'for', className: `w-40 ${WIDE}` },
    { name: 'line', isNumber: true, className: `w-16 ${WIDE}` },
    { name: `hits, ${policy.countedDays} d`, isNumber: true, className: 'w-24' },
    { name: 'last', isNumber: true, className: `w-20 ${WIDE}` },
    { name: 'notes' },
  ]
  return (
    <Section title={title} aside={file !== null && !file.isTrusted ? <Badge tone="ask">not trusted</Badge> : undefined}>
      {rules.length === 0 ? (
        <p className="text-faint">No rules.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section tabIndex={0} aria-label={title} className="thin-scroll relative overflow-x-auto rounded border bg-surface">
          <Table label={title} columns={columns}>
            {rules.map(rule => (
              <RuleRow key={rule.id} rule={rule} days={policy.countedDays} />
            ))}
          </Table>
        </section>
      )}
    </Section>
  )
}

function RuleRow({ rule, days }: { readonly rule: RuleView; readonly days: number }) {
  const marks = marksOfRule(rule, days)
  return (
    <TableRow>
      <Cell>
        <VerdictMark verdict={rule.effect} plain />
      </Cell>
      <Cell
        className={`mono max-w-40 truncate md:max-w-96 ${rule.inert === null ? '' : 'line-through decoration-edge'}`}
        title={plainLine(rule.message ?? rule.text)}
      >
        {plainLine(rule.text, 200)}
      </Cell>
      <Cell className={`max-w-40 truncate text-quiet ${WIDE}`}>{plainLine(rule.actor, 60)}</Cell>
      <Cell isNumber className={`mono text-faint ${WIDE}`} title={plainLine(rule.place ?? '')}>
        {lineOf(rule.place) || '–'}
      </Cell>
      <Cell isNumber>{rule.hits.toLocaleString('en')}</Cell>
      <Cell isNumber className={`text-faint ${WIDE}`}>
        {rule.lastHitAt === null ? '–' : <Age time={rule.lastHitAt} />}
      </Cell>
      <MarkedCell marks={marks} className="max-w-80" />
    </TableRow>
  )
}
