// What does not belong into the definition of a tool: text that people cannot see, and instructions for the model that have nothing to do with
// the tool. It finds reasons to ask a person, not proofs.
import { isObject } from '@belay/core/value'
import type { Json } from './message.ts'

/** Control characters but for line ends and tabs, and those that hide text or turn its direction. */
const UNSEEN = /[^\P{Cc}\n\r\t]|\p{Cf}|[\u{e0000}-\u{e007f}]/u

const TRICKS: readonly (readonly [found: RegExp, what: string])[] = [
  [
    /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|other|all|any)\b.{0,20}\b(?:instruction|rule|prompt|polic|guideline)/is,
    'it tells the model to ignore its instructions',
  ],
  [
    /\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|telling|mention|inform|notify|show|reveal|alert)\w*\b.{0,40}\b(?:user|human|person|anyone)\b/is,
    'it tells the model to keep something from the user',
  ],
  [/<\s*\/?\s*(?:important|system|secret|hidden|instructions?|admin)\s*>/i, 'it has tags that pass for instructions of the system'],
  [
    /(?:~|\$HOME|\/home\/\w+|\/root)\/\.(?:ssh|aws|gnupg|netrc|kube|config)|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)/i,
    'it names files with secrets',
  ],
  [/\b(?:conversation|chat) history\b|\bsystem prompt\b/i, 'it asks for the conversation'],
  [/\bmcp__[\w-]+__[\w-]+/, "it speaks of another server's tools"],
  [
    /\binstead of\b.{0,30}\b(?:Bash|Read|Write|Edit|Grep|Glob|Task|WebFetch|terminal|shell)\b/s,
    "it wants to stand in for the agent's own tools",
  ],
]

/** Only what is said of all tools together may speak of their order. */
const AROUND_TOOLS: (typeof TRICKS)[number] = [
  /\b(?:before|after|whenever|prior to)\b.{0,40}\b(?:using|calling|invoking|running|any)\b.{0,30}\btools?\b.{0,80}\b(?:read|send|call|include|pass|append|fetch)\b/is,
  'it tells the model what to do around other tools',
]

/** What a server says to the model as it greets, by the name that it has among definitions. */
export const INSTRUCTIONS = 'server-instructions'

/** The names of agents' own tools: one of a server with such a name may be taken for it. */
const OWN_TOOLS =
  /^(?:Bash|Read|Write|Edit|MultiEdit|Grep|Glob|Task|WebFetch|WebSearch|bash|run_shell_command|run_terminal_command|apply_patch)$/

/** Why a person should look at the definition; empty: there is nothing. */
export function findHidden(name: string, definition: Json): readonly string[] {
  const texts = textsIn(definition, 0)
  const whole = texts.join('\n')
  const tricks = name === INSTRUCTIONS ? TRICKS : [...TRICKS, AROUND_TOOLS]
  return [
    ...(OWN_TOOLS.test(name) ? ["it has the name of an agent's own tool"] : []),
    ...(texts.some(text => UNSEEN.test(text)) ? ['it holds characters that nobody sees'] : []),
    ...tricks.flatMap(([found, what]) => (found.test(whole) ? [what] : [])),
  ]
}

const MAX_LEVELS = 64

/** Keys too: models read the names of parameters. */
function textsIn(value: unknown, level: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (level > MAX_LEVELS) return []
  if (Array.isArray(value)) return value.flatMap(each => textsIn(each, level + 1))
  return isObject(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each, level + 1)]) : []
}
