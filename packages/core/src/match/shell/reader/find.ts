// find and fd: actions inside the expression start programs, delete and write.
import { type Call, notCovered, runInner, touchArgument } from '../call.ts'
import { fdNames, searchStarts, soughtPaths } from '../listed-name.ts'
import type { Word } from '../shell-analysis.ts'
import { findProgram } from '../table/find-program.ts'
import { baseName, dropText, leadingText, makeWord, supplyToken } from '../word.ts'

const FIND_EXEC = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const FIND_WRITE = new Set(['-fprint', '-fprint0', '-fprintf', '-fls'])
const FD_EXEC = /^(?:-[HIuslaLp0gFi]*[xX]|--exec-batch=?|--exec=?)/

/** Tests and options of find that are followed by a value. */
const TAKES_VALUE =
  /^-(?:i?(?:name|path|wholename|regex|lname)|regextype|x?type|size|newer\w*|[amc](?:time|min)|m(?:ax|in)depth|perm|user|group|[ug]id|inum|links|samefile|fstype|printf|context|used|D|f)$/

export function readFind(call: Call): null {
  checkUnknownWords(call)
  if (call.name.startsWith('fd')) readFd(call)
  else readExpression(call)
  return null
}

/** What is known only at run time may be an action: any words where it stands unquoted, one word where a test or an action could stand. */
function checkUnknownWords(call: Call): void {
  const { words } = call
  let isExpression = false
  for (const [at, word] of words.entries()) {
    if (at > 0 && /^[-(!]/.test(leadingText(word))) isExpression = true
    if (at === 0 || word.value !== null || isOneOf(word)) continue
    const isValue = TAKES_VALUE.test(words[at - 1]?.value ?? '') || leadingText(word) !== ''
    if (!word.parts.some(part => part.kind === 'unknown' && part.splits) && (!isExpression || isValue || call.name.startsWith('fd')))
      continue
    notCovered(call, `${word.source} can become an action of ${call.name}`)
    return
  }
}

function isOneOf(word: Word): boolean {
  return word.parts.every(part => part.kind !== 'unknown' || part.among !== undefined)
}

function readExpression(call: Call): void {
  let use: FoundUse = 'none'
  for (let at = 1; at < call.words.length; at++) {
    const text = call.words[at]?.value ?? ''
    if (FIND_EXEC.has(text)) {
      const end = runAction(call, text, [], at + 1)
      use = joinUse(use, foundUse(call.words.slice(at + 1, end)) ?? 'none')
      at = end
    } else if (text === '-delete') {
      notCovered(call, 'find -delete removes files')
      use = joinUse(use, 'remove')
    } else if (FIND_WRITE.has(text)) touchNext(call, 'write', ++at)
    else if (text === '-files0-from') {
      notCovered(call, 'find -files0-from starts wherever the file says')
      touchNext(call, 'read', ++at)
    }
  }
  for (const start of searchStarts(call.words.slice(1))) touchArgument(call, 'read', start, 'listing')
  if (use === 'none') return
  touchFound(call, use)
  const follows = call.words.some(({ value }) => value === '-L' || value === '-follow')
  if (follows && (use === 'write' || use === 'change')) notCovered(call, 'find -L writes wherever a link leads')
}

/** `remove` and `change` (which reads too) write under the command's own allow, `write` needs one for the file. */
type FoundUse = 'none' | 'read' | 'remove' | 'change' | 'write'

function joinUse(one: FoundUse, other: FoundUse): FoundUse {
  const both = [one, other]
  if (both.includes('write')) return 'write'
  if (both.includes('change') || (both.includes('read') && both.includes('remove'))) return 'change'
  return one === 'none' ? other : one
}

/** What happens to the files that are found. */
export function accessesOf(use: FoundUse): readonly ('read' | 'write')[] {
  if (use === 'none') return []
  return use === 'read' ? ['read'] : use === 'remove' ? ['write'] : ['read', 'write']
}

/** What a command does to the files it is handed. */
export function foundUse(action: readonly Word[]): FoundUse | null {
  const program = findProgram(baseName(action[0]?.value ?? ''))
  const operands = program?.operands ?? 'data'
  const isInPlace = program?.options?.includes(':in-place') && action.some(word => /^-[a-zA-Z]*i|^--in-place/.test(leadingText(word)))
  if (operands === 'write' || isInPlace) return 'write'
  if (operands.startsWith('write-own')) return 'remove'
  if (/^(?:move|compress|rewrite)/.test(operands)) return 'change'
  return /^(?:read|copy|script|pack|format|search)/.test(operands) ? 'read' : null
}

/** `find . -name .env -exec cat {} +`: the files it hands over are those it was told to look for. */
function touchFound(call: Call, use: FoundUse): void {
  const args = call.words.slice(1)
  for (const start of searchStarts(args)) {
    for (const access of use === 'write' ? (['read'] as const) : accessesOf(use)) touchArgument(call, access, start, 'deny-only')
    if (use !== 'write') continue
    touchArgument(call, 'write', makeWord([...start.parts, { kind: 'text', value: '/found' }], start.source), 'full')
  }
  for (const name of soughtPaths(args)) for (const access of accessesOf(use)) touchArgument(call, access, name, 'deny-only')
}

function readFd(call: Call): void {
  for (let at = 1; at < call.words.length; at++) {
    const word = call.words[at] as Word
    const option = FD_EXEC.exec(leadingText(word))?.[0]
    if (option === undefined || (option.startsWith('--') && !option.endsWith('=') && word.value !== option)) continue
    const glued = word.value === option ? [] : [dropText(word, option.length)]
    const end = runAction(call, option, glued, at + 1)
    touchSearched(call, at, foundUse([...glued, ...call.words.slice(at + 1, end)]) ?? 'none')
    at = end
  }
}

/** `fd .env -x cat`: the files it hands over are those it was told to look for. */
function touchSearched(call: Call, end: number, use: FoundUse): void {
  for (const name of fdNames(call.words.slice(1, end))) for (const access of accessesOf(use)) touchArgument(call, access, name, 'deny-only')
}

function touchNext(call: Call, access: 'read' | 'write', at: number): void {
  const path = call.words[at]
  if (path) touchArgument(call, access, path, access === 'write' ? 'full' : 'deny-only')
}

/** Returns the position of the word that ends the action. */
function runAction(call: Call, action: string, glued: readonly Word[], start: number): number {
  let end = start
  while (end < call.words.length && !endsAction(call.words, end)) end++
  const words = supplyToken([...glued, ...call.words.slice(start, end)], '{}')
  runInner(call, { words, behind: `${call.name} ${action}`, traits: [{ kind: 'more-arguments' }] })
  return end
}

function endsAction(words: readonly Word[], at: number): boolean {
  const text = words[at]?.value
  return text === ';' || (text === '+' && words[at - 1]?.value === '{}')
}
