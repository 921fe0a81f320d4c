// The scripted model of `belay conform`, for scripts of short steps: {shell}, {task, type}, {text}, {call: {name, input}}; `call` may be a function
// of all that the model was told so far. `before` runs before a step is answered, `tokens` is how full the window is said to be.
import { KIT } from '../../scripts/lib/kit.mjs'

export async function startModel({ steps, sub = [] }) {
  let model = null
  const stepOf = ({ shell, task, type, call, ...step }) => {
    if (shell !== undefined) return { ...step, calls: [{ shell }] }
    if (task !== undefined) return { ...step, calls: [{ task, ...(type === undefined ? {} : { type }) }] }
    if (typeof call === 'function') return Object.defineProperty(step, 'calls', { get: () => [{ call: call(model.heard()) }] })
    return call === undefined ? step : { ...step, calls: [{ call }] }
  }
  model = await KIT.startScriptedModel({ steps: steps.map(stepOf), sub: sub.map(stepOf) })
  return model
}
