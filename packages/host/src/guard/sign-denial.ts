// The second line of a denial: that it was Belay who decided, for whom, and by which hook where no rule did. The first line says what was
// denied, by which rule, and where that stands.
import { formatPlace, type GuardedCall, type HookRun } from '@belay/core'

export function signDenial(actor: string, { verdict, fired }: GuardedCall, command: string): string {
  const run = verdict.decision === 'deny' ? fired.report.runs.find(({ verdict: said }) => said === verdict) : undefined
  const by = run === undefined || fired.isByRules === true ? '' : ` by ${nameHook(run)}`
  return `Belay decided this for ${actor}${by}; \`${command} why\` tells more.`
}

function nameHook({ hook, place }: HookRun): string {
  return place === undefined ? `the hook ${hook}` : `the hook ${hook} (${formatPlace(place)})`
}
