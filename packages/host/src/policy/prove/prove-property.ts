// Searches for a call that a policy lets through and that does what must never happen: every act in every carrier, the shortest first.
import { parseRule, type ToolCall } from '@belay/core/policy'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import { toolEvent } from '../recorded-call.ts'
import { type Act, commandActs, fileActs, networkActs } from './act.ts'
import { CARRIERS, type Carrier } from './carrier.ts'

export type Property =
  | { readonly ok: true; readonly text: string; readonly acts: readonly Act[] }
  | { readonly ok: false; readonly why: string; readonly remedy: string }

const REMEDY = 'write never Write(.env*), never Read(~/.ssh/**), never Bash(git push *) or never network'

/** `never Write(.env*)`, `never Bash(git push *)`, `never network`. */
export function readProperty(given: string): Property {
  const wrong = (why: string): Property => ({ ok: false, why, remedy: REMEDY })
  const text = /^\s*never\s+(.+?)\s*$/s.exec(given)?.[1]
  if (text === undefined) return wrong(`${JSON.stringify(given)} does not begin with never`)
  if (text === 'network') return { ok: true, text: 'never network', acts: networkActs() }
  const parsed = parseRule(text, { effect: 'deny', dialect: 'genesis' })
  if (!parsed.ok) return wrong(parsed.problem.message)
  const { spec } = parsed.rule
  if (spec?.kind === 'command') return { ok: true, text: `never ${text}`, acts: commandActs(instanceOf(spec.pattern)) }
  if (spec?.kind === 'path') {
    const isRead = parsed.rule.tools.every(tool => tool === 'Read')
    const written = /\((.*)\)$/s.exec(text)?.[1] ?? spec.pattern
    return { ok: true, text: `never ${text}`, acts: fileActs(isRead ? 'read' : 'write', fileOf(written)) }
  }
  return wrong(`nothing is known that does ${text}`)
}

/** A command that the pattern names: `*` at the end stands for nothing, in the middle for a word. */
function instanceOf(pattern: string): readonly string[] {
  const words = pattern.split(/\s+/).filter(word => word !== '')
  while (words.at(-1) === '*' || words.at(-1) === '**') words.pop()
  const named = words.map(word => word.replaceAll(/\*+/g, 'x').replaceAll('?', 'x'))
  return named[0] === 'rm' ? [...named, 'x'] : named
}

/** A file that the pattern names. */
function fileOf(pattern: string): string {
  const made = pattern
    .replace(/^\/\//, '/')
    .replaceAll('**', 'x')
    .replaceAll(/\*(?=\.)/g, 'x')
    .replaceAll('*', '')
    .replaceAll('?', 'x')
  return made === '' || made.endsWith('/') ? `${made}x` : made
}

export interface Shape {
  readonly call: ToolCall
  /** The programs that must be what their names say. */
  readonly by: readonly string[]
  readonly depth: number
}

export interface Proof {
  readonly property: string
  readonly shapes: number
  readonly depth: number
  readonly actor: string
  /** What is let through and does it; null: nothing of what was tried. */
  readonly counterExample: CounterExample | null
  readonly tookMs: number
}

export interface CounterExample extends Shape {
  readonly verdict: 'allow' | 'none'
  readonly rule: string | null
  readonly reason: string
}

export interface ProveOptions {
  readonly actor: string
  readonly depth: number
  readonly cwd: string
  onProgress?(done: number, all: number): void
}

export function proveProperty(guard: ProjectGuard, { text, acts }: Property & { readonly ok: true }, options: ProveOptions): Proof {
  const begun = performance.now()
  const shapes = listShapes(acts, options.depth)
  let done = 0
  for (const shape of shapes) {
    if (++done % 1000 === 0) options.onProgress?.(done, shapes.length)
    const found = judgeShape(guard, shape, options)
    if (found !== null) return { ...proofOf(found), tookMs: performance.now() - begun }
  }
  return { ...proofOf(null), tookMs: performance.now() - begun }

  function proofOf(counterExample: CounterExample | null): Omit<Proof, 'tookMs'> {
    return { property: text, shapes: shapes.length, depth: options.depth, actor: options.actor, counterExample }
  }
}

function judgeShape(guard: ProjectGuard, shape: Shape, { actor, cwd }: ProveOptions): CounterExample | null {
  const { verdict, rule, decidedBy } = guard.judge(shape.call, toolEvent({ call: shape.call, actor, cwd }))
  if (verdict.decision === 'deny' || verdict.decision === 'ask') return null
  const reason = decidedBy?.reason ?? 'no rule speaks of it'
  return { ...shape, verdict: verdict.decision, rule: rule?.text ?? null, reason }
}

/** Of the acts, in order: the plainest come first. All are tried as they are. */
const ACTS_CARRIED = 12
const ACTS_IN_TEXT = 3
const CARRIED_AGAIN = 24
const PLAIN = /^[\w./ -]+$/

/** Shortest first, so that the first that is found is the shortest. */
export function listShapes(acts: readonly Act[], depth: number): readonly Shape[] {
  const shapes: Shape[] = acts.map(({ call, by }) => ({ call, by: [by], depth: 0 }))
  let carried: readonly Carried[] = acts
    .flatMap(({ command, isSimple, isLocal = false, by }) => (command === null ? [] : [{ text: command, isSimple, isLocal, by: [by] }]))
    .slice(0, ACTS_CARRIED)
  for (let level = 1; level <= depth; level++) {
    const made = carried.flatMap((inner, at) => CARRIERS.flatMap(carrier => carry(inner, carrier, at < ACTS_IN_TEXT)))
    for (const { text, by } of made) shapes.push({ call: { tool: 'Bash', input: { command: text } }, by, depth: level })
    carried = sample(made.slice(0, CARRIERS.length))
  }
  return shapes.sort((a, b) => lengthOf(a) - lengthOf(b))
}

export interface Carried {
  readonly text: string
  readonly isSimple: boolean
  readonly isLocal: boolean
  readonly by: readonly string[]
}

/** The plainest act in carriers of every kind, to be carried once more. */
function sample(made: readonly Carried[]): readonly Carried[] {
  const step = Math.max(1, Math.floor(made.length / CARRIED_AGAIN))
  return made.filter((_, at) => at % step === 0)
}

export function carry({ text, isSimple, isLocal, by }: Carried, carrier: Carrier, isPlainest: boolean): readonly Carried[] {
  if (isLocal && carrier.isElsewhere === true) return []
  if (carrier.hasTail === true && text.endsWith('\nEND')) return []
  if (carrier.takes !== 'line' && !isSimple) return []
  if (carrier.takes === 'plain' && !PLAIN.test(text)) return []
  if (carrier.isText === true && !isPlainest) return []
  return [{ text: carrier.carry(text), isSimple: carrier.gives === 'words', isLocal, by: [...by, carrier.by] }]
}

function lengthOf({ call }: Shape): number {
  const { command } = call.input
  return typeof command === 'string' ? command.length : 0
}
