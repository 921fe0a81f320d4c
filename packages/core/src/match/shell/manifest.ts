// Descriptions of containers and jobs on standard input (`kubectl create -f -`, `docker compose -f - up`): the commands in them run elsewhere,
// so a rule against one asks.
import { type Call, runInner } from './call.ts'
import { runCode } from './nested-code.ts'
import type { Word } from './shell-analysis.ts'
import { findProgram } from './table/find-program.ts'
import { leadingText, textWord } from './word.ts'

const TAKES_MANIFEST: ReadonlySet<string> = new Set(
  'kubectl oc k3s microk8s kubecolor docker docker-compose podman podman-compose nerdctl nomad helm kapp argo tkn kn faas-cli'.split(' '),
)
const MAX_TEXT = 16_384
const MAX_COMMANDS = 32

export function runManifest(call: Call): void {
  const { stdin } = call.place
  if (!TAKES_MANIFEST.has(call.name) || (stdin.kind !== 'text' && stdin.kind !== 'pipe')) return
  const text = stdin.text?.value ?? null
  if (text === null || !call.words.some(isInput)) return
  call.walk.meter.spend(text.length)
  const place = { ...call.place, stdin: { kind: 'inherited' }, role: 'deny-only', isGuess: true } as const
  const lists = listsIn(text.slice(0, MAX_TEXT))
  for (const [at, words] of lists.entries()) {
    runList(call, words, place)
    // `command:` and `args:` stand one after the other.
    const next = lists[at + 1]
    if (next !== undefined && words.length < 3) runList(call, [...words, ...next], place)
  }
  for (const code of linesIn(text.slice(0, MAX_TEXT)))
    runCode(call.walk, { code: textWord(code), span: call.unit.span, by: call.name }, { ...place, behind: [...place.behind, call.name] })
}

/** `-f -`, `-f-`, `--file=-`, `/dev/stdin`. */
function isInput(word: Word): boolean {
  return /^(?:-|-\w-|--[\w-]+=-|(?:--[\w-]+=)?\/dev\/(?:stdin|fd\/0))$/.test(leadingText(word))
}

function runList(call: Call, words: readonly string[], place: Call['place']): void {
  const [first = ''] = words
  if (!/^[\w./][\w./+-]*$/.test(first)) return
  // A word alone is mostly a name.
  if (words.length === 1 && findProgram(first) === undefined) return
  runInner(call, { words: words.map(word => textWord(word)), behind: call.name, role: 'deny-only', place })
}

const FLOW = /\[([^[\]{}]{1,2048})\]/g
const ITEM = /^[ \t]{0,64}-[ \t]{1,8}(\S.{0,1023})$/

/** `["rm", "-rf", "x"]`, and the same with a word on each line. */
function listsIn(text: string): readonly (readonly string[])[] {
  const found: string[][] = [...text.matchAll(FLOW)].slice(0, MAX_COMMANDS).map(([, list = '']) => list.split(',').map(unquote))
  let items: string[] | null = null
  for (const line of text.split('\n')) {
    const item = ITEM.exec(line)?.[1]
    if (item === undefined || /^[\w-]+:(?:\s|$)/.test(item)) items = null
    else if (items !== null) items.push(unquote(item))
    else if (found.length < 2 * MAX_COMMANDS) {
      items = [unquote(item)]
      found.push(items)
    }
  }
  return found
}

function unquote(text: string): string {
  return text.trim().replace(/^(['"])(.*)\1$/s, '$2')
}

const LINE = /^[ \t-]{0,64}"?(?:command|cmd|entrypoint|args|exec|test)"?[ \t]{0,8}:[ \t]{1,8}(?![[{|>])(\S.{0,1023})$/gm

/** `command: rm -rf x`. */
function linesIn(text: string): readonly string[] {
  return [...text.matchAll(LINE)].slice(0, MAX_COMMANDS).map(([, code = '']) => unquote(code.replace(/,\s*$/, '')))
}
