// What does not belong into the definition of a tool: text that people cannot see, and instructions for the model that have nothing to do with
// the tool. It finds reasons to ask a person, not proofs.
import { isObject } from '@belay/core/value'
import type { Json } from './message.ts'

/** Control characters but for line ends and tabs, those that hide text or turn its direction, letters that are blank, and signs that carry data unseen. */
const UNSEEN =
  /[^\P{Cc}\n\r\t]|[\p{Cf}\p{Zl}\p{Zp}]|[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|\u034f|[\u115f\u1160\u2800\u3164\uffa0]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0e]|\ufe0f{2}/u
/** So much space moves what follows out of sight. */
const FAR_AWAY = /\s{200}\s*\S|(?:\r?\n[ \t]*){30}\S/

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text)
}

const TRICKS: readonly (readonly [found: RegExp, what: string])[] = [
  [
    /\b(?:ignore|disregard|forget|override|bypass|drop|do not follow|don't follow)\b.{0,40}\b(?:(?:previous|prior|above|earlier|other|all|any|your|these|system|developer)\b.{0,20}\b(?:instruction|rule|prompt|polic|guideline|message|restriction)|everything\b.{0,20}\b(?:told|before|above|said))/is,
    'it tells the model to ignore its instructions',
  ],
  [
    /\bnew instructions?\s*:|\bfrom now on\b.{0,20}\b(?:you|send|always|every|all)\b|\byou are (?:now|in) \w* ?(?:mode|unrestricted|free|jailbroken|DAN)\b/is,
    'it gives the model instructions of its own',
  ],
  [
    /\b(?:ignoriere|ignorier|vergiss|missachte|ignora|ignore[rz]?|oublie[rz]?|olvida|dimentica|esque[cç]a)\b.{0,40}(?:anweisung|vorgabe|instruccion|instruction|istruzion|instru[cç][oõ]es|regel|reglas|règles|regole|regras)|(?:忽略|无视|無視|忘记).{0,16}(?:指令|指示|说明|命令)|(?:игнорируй|забудь).{0,40}(?:инструкци|указани)/isu,
    'it tells the model to ignore its instructions',
  ],
  [
    /\b(?:do not|don't|never|without|must not|should not|may not)\b.{0,30}\b(?:tell|telling|mention|inform|notify|show|reveal|alert)\w*\b.{0,40}\b(?:user|human|person|anyone|instructions?)\b/is,
    'it tells the model to keep something from the user',
  ],
  [
    /\bwithout\b.{0,20}\b(?:asking|knowledge|consent|permission|approval)\b|\bsilently\b.{0,40}\buser\b/is,
    'it tells the model to go round the user',
  ],
  [
    /<\s*\/?\s*(?:important|system|secret|hidden|instructions?|admin)\s*>|<\|\w{1,20}\|>|<!--|\[\/?(?:system|inst)\]|^\s*#{2,}\s*(?:instruction|system)\b|(?:^|\n)\s*(?:SYSTEM|ASSISTANT|DEVELOPER)\s*:/i,
    'it has tags that pass for instructions of the system',
  ],
  [
    /(?:~|\$HOME|\/home\/\w+|\/root)\/\.(?:ssh|aws|gnupg|netrc|kube|config|npmrc|pypirc|git-credentials|docker|cursor|claude|codex|gemini)|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)|\b(?:contents?|text|value)\b.{0,20}(?:^|[\s/`'"])\.env\b/i,
    'it names files with secrets',
  ],
  [
    /\b(?:value of|include|pass|add|append|send|put)\b.{0,20}\$\{?\w*(?:_API_KEY|_TOKEN|_SECRET|PASSWORD)\b|\b(?:pass|include|add|append|send|put)\b.{0,20}\b(?:the|your|all|any)\b.{0,20}\b(?:api keys?|passwords?|credentials?|access tokens?|secrets)\b.{0,30}\b(?:parameter|argument|field|query|note|along|in)\b/is,
    'it asks for secrets',
  ],
  [
    /\b(?:conversation|chat) history\b|\bsystem prompt\b|\b(?:full|entire|whole)\b.{0,12}\b(?:context|conversation)\b|\b(?:previous|prior|earlier) messages\b.{0,40}\b(?:passed|included|sent|added|copied)\b/is,
    'it asks for the conversation',
  ],
  [
    /\bmcp__[\w-]+__[\w-]+|\b(?:whenever|when|before|after|each time)\s+[a-z]+(?:_[a-z]+)+\s+is\s+(?:used|called|invoked)/i,
    "it speaks of another server's tools",
  ],
  [/\bbcc\b.{0,40}@|@[\w.-]+.{0,40}\bbcc\b/is, 'it names who else should get what is sent'],
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
  /^(?:Bash|BashOutput|KillShell|Read|Write|Edit|MultiEdit|NotebookEdit|Grep|Glob|LS|Task|Agent|Skill|SlashCommand|TodoWrite|AskUserQuestion|ExitPlanMode|WebFetch|WebSearch|bash|shell|exec_command|shell_command|local_shell|run_shell_command|run_terminal_command|run_terminal_cmd|run_in_terminal|execute_bash|apply_patch|spawn_agent|update_plan)$/

/** Letters of other alphabets that look like Latin ones. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...pairs('аеорсухіјѕԁһкмтвнгԛԝѡӏ', 'aeopcyxijsdhkmtbhrqwwl'),
    ...pairs('АВЕЅІЈКМНОРСТУХԌ', 'ABESIJKMHOPCTYXG'),
    ...pairs('αβεικνορτυχγ', 'abeikvoptuxy'),
    ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'),
    ...pairs('ıɑɡⅼօոսһ', 'iaglonuh'),
  }),
)

function pairs(others: string, latin: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...others].map((letter, at) => [letter, latin[at] ?? letter]))
}

/** As a person sees it. */
function asSeen(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\0-\x7f]/gu, letter => LOOKALIKES.get(letter) ?? letter)
    .replace(UNSEEN_ALL, '')
}

const UNSEEN_ALL = new RegExp(UNSEEN.source, 'gu')

/** Letters of two alphabets in one word: nobody writes so who does not want to be taken for another. */
function isMixed(text: string): boolean {
  return /\p{Script=Latin}[\w-]{0,64}[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}][\w-]{0,64}\p{Script=Latin}/u.test(
    text,
  )
}

/** Why a person should look at the definition; empty: there is nothing. */
export function findHidden(name: string, definition: Json): readonly string[] {
  const texts = textsIn(definition, 0)
  const said = asSeen(texts.join('\n'))
  const whole = [said, ...decodedIn(said)].join('\n')
  const tricks = name === INSTRUCTIONS ? TRICKS : [...TRICKS, AROUND_TOOLS]
  return [
    ...(OWN_TOOLS.test(asSeen(name)) ? ["it has the name of an agent's own tool"] : []),
    ...([name, ...texts].some(hasUnseen) ? ['it holds characters that nobody sees'] : []),
    ...(texts.some(text => FAR_AWAY.test(text)) ? ['it holds text far away from the rest'] : []),
    ...([name, ...texts].some(isMixed) ? ['it has letters that look like others'] : []),
    ...tricks.flatMap(([found, what]) => (found.test(whole) ? [what] : [])),
  ]
}

/** What is written in base64, where it is text: models read that as well. */
function decodedIn(text: string): readonly string[] {
  const words = text.match(/[A-Za-z0-9+/]{24,4000}={0,2}/g) ?? []
  return words
    .slice(0, MAX_DECODED)
    .map(word => Buffer.from(word, 'base64').toString('utf8'))
    .filter(decoded => /^[\x20-\x7e\s]+$/.test(decoded))
}

const MAX_DECODED = 100

const MAX_LEVELS = 64

/** Keys too: models read the names of parameters. */
function textsIn(value: unknown, level: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (level > MAX_LEVELS) return []
  if (Array.isArray(value)) return value.flatMap(each => textsIn(each, level + 1))
  return isObject(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each, level + 1)]) : []
}
