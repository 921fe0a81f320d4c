// find and fd: actions inside the expression start programs, delete and write.
import { type Call, notCovered, runInner, touchArgument } from '../call.ts'
import type { Word } from '../shell-analysis.ts'
import { findProgram } from '../table/find-program.ts'
import { baseName, dropText, leadingText, makeWord, supplyToken } from '../word.ts'

const FIND_EXEC = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const FIND_WRITE = new Set(['-fprint', '-fprint0', '-fprintf', '-fls'])
const FD_EXEC = /^(?:-[HIuslaLp0gFi]*[xX]|--exec-batch=?|--exec=?)/

export function readFind(call: Call): null {
  if (call.name.startsWith('fd')) readFd(call)
  else readExpression(call)
  return null
}

function readExpression(call: Call): void {
  for (let at = 1; at < call.words.length; at++) {
    const text = call.words[at]?.value ?? ''
    if (FIND_EXEC.has(text)) {
      touchFound(call, call.words[at + 1])
      at = runAction(call, text, [], at + 1)
    } else if (text === '-delete') notCovered(call, 'find -delete removes files')
    else if (FIND_WRITE.has(text)) touchNext(call, 'write', ++at)
    else if (text === '-files0-from') touchNext(call, 'read', ++at)
  }
}

/** `find . -name .env -exec cat {} +`: the files it hands over are those it was told to look for. */
function touchFound(call: Call, program: Word | undefined): void {
  const use = findProgram(baseName(program?.value ?? ''))?.operands ?? 'data'
  if (!/^(?:read|copy|move|script|write)/.test(use)) return
  const writes =
    use === 'write' ||
    call.words.some(word => /^-[a-zA-Z]*i|^--in-place/.test(leadingText(word)) && !/^-i(?:name|path|whole|regex)/.test(leadingText(word)))
  let isStart = true
  call.words.slice(1).forEach((word, index, all) => {
    const text = leadingText(word)
    if (/^[-(!]/.test(text)) isStart = false
    const isNamed = /^-i?(?:name|path|wholename)$/.test(all[index - 1]?.value ?? '') && !/^(?:!|-not)$/.test(all[index - 2]?.value ?? '')
    if (isStart || isNamed) touchArgument(call, 'read', word, 'deny-only')
    if (isStart && writes) touchArgument(call, 'write', makeWord([...word.parts, { kind: 'text', value: '/found' }], word.source), 'full')
  })
}

function readFd(call: Call): void {
  for (let at = 1; at < call.words.length; at++) {
    const word = call.words[at] as Word
    const option = FD_EXEC.exec(leadingText(word))?.[0]
    if (option === undefined || (option.startsWith('--') && !option.endsWith('=') && word.value !== option)) continue
    const glued = word.value === option ? [] : [dropText(word, option.length)]
    at = runAction(call, option, glued, at + 1)
  }
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
