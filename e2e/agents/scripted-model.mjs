// The scripted model of `belay conform`, for scripts of short steps: {shell}, {task, type}, {text}, {call: {name, input}}; `before` runs before
// a step is answered, `tokens` is how full the window is said to be.
import { KIT } from '../../scripts/lib/kit.mjs'

export function startModel({ steps, sub = [] }) {
  return KIT.startScriptedModel({ steps: steps.map(stepOf), sub: sub.map(stepOf) })
}

function stepOf({ shell, task, type, call, ...step }) {
  if (shell !== undefined) return { ...step, calls: [{ shell }] }
  if (task !== undefined) return { ...step, calls: [{ task, ...(type === undefined ? {} : { type }) }] }
  return call === undefined ? step : { ...step, calls: [{ call }] }
}
