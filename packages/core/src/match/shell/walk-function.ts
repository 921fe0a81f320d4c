// Functions of the command line: their bodies are walked where they stand, and again for every input that a call hands them.
import type { Span } from './shell-analysis.ts'
import { copyScope, type EarlyCall, type FunctionBody, insideBranch, type Place, report, type Walk, withInput } from './walk.ts'

/** More definitions of one name, or more names, than anybody writes. */
const MAX_BODIES = 16
const MAX_NAMES = 256
/** More calls with an input of their own than this are not followed. */
const MAX_INPUTS = 64

export function keepFunction(walk: Walk, body: FunctionBody): void {
  const name = body.node.name.value
  keepBody(walk, name, body)
  const early = walk.earlyCalls.get(name)
  walk.earlyCalls.delete(name)
  for (const { place, span } of early ?? []) feedFunctions(walk, name, place, span)
}

function keepBody(walk: Walk, name: string, body: FunctionBody): void {
  const known = walk.functions.get(name)
  if (known === undefined && walk.functions.size < MAX_NAMES) walk.functions.set(name, [body])
  else if (known !== undefined && known.length < MAX_BODIES) known.push(body)
  else if (known !== undefined) walk.functions.set(name, [])
}

/** After a call by this name nobody knows the directory, where a function of the line changes it. */
export function isMove(walk: Walk, name: string): boolean {
  return walk.functionsMove && (walk.functions.has(name) || walk.functions.size >= MAX_NAMES)
}

/** A function that is given an input hands it to the commands in it: `f() { sh; }; f <<< 'rm -rf x'`. */
export function feedFunctions(walk: Walk, name: string, place: Place, span: Span): void {
  const { stdin } = place
  if (stdin.kind === 'inherited') return
  const bodies = walk.functions.get(name)
  if (bodies === undefined) {
    if (walk.functions.size >= MAX_NAMES) mayRun(walk, name, place, span)
    else keepCall(walk, name, { place, span })
    return
  }
  if (bodies.length === 0) mayRun(walk, name, place, span)
  for (const body of bodies) {
    if (body.inputs.has(stdin)) continue
    if (body.running || body.inputs.size >= MAX_INPUTS) mayRun(walk, name, place, span)
    else feed(walk, body, place, span)
  }
}

/** The function may be defined further on: `f() { g <<< "$1"; }; g() { sh; }`. */
function keepCall(walk: Walk, name: string, call: EarlyCall): void {
  const known = walk.earlyCalls.get(name)
  if (known === undefined && walk.earlyCalls.size < MAX_NAMES) walk.earlyCalls.set(name, [call])
  else if (known !== undefined && known.length < MAX_INPUTS) known.push(call)
}

function feed(walk: Walk, body: FunctionBody, place: Place, span: Span): void {
  body.inputs.add(place.stdin)
  body.running = true
  const inner: Place = { ...insideBranch(place), scope: copyScope(place.scope), text: body.text, span: place.span ?? span }
  walk.runBody(walk, body.node, withInput(inner, place.stdin, true))
  body.running = false
}

function mayRun(walk: Walk, name: string, place: Place, span: Span): void {
  report(walk, 'opaque', `${name} may run what it reads`, place.span ?? span)
}
