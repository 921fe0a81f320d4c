// The second line of a denial: that it was Belay who decided, for whom, and by which hook where no rule did. The first line says what was
// denied, by which rule, and where that stands.
import { formatPlace, type GuardedCall, type HookRun } from '@belay/core'

export function signDenial(actor: string, { verdict, fired }: GuardedCall, command: string): string {
  const run = decidingRun(verdict, fired)
  const by = run === undefined || fired.isByRules === true ? '' : ` by ${nameHook(run)}`
  return `Belay decided this for ${actor}${by}; \`${command} why\` tells more.`
}

/** Whose verdict it is; a hook that ended the turn gave none, and the call was denied for its reason. */
function decidingRun(verdict: GuardedCall['verdict'], { report: { runs }, stop }: GuardedCall['fired']): HookRun | undefined {
  if (verdict.decision !== 'deny') return undefined
  const ended = stop !== null && stop.reason === verdict.reason ? stop.hook : undefined
  return runs.find(({ verdict: said }) => said === verdict) ?? runs.find(({ hook }) => hook === ended)
}

function nameHook({ hook, place }: HookRun): string {
  return place === undefined ? `the hook ${hook}` : `the hook ${hook} (${formatPlace(place)})`
}
