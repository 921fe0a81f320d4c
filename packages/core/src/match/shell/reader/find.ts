// find and fd: actions inside the expression start programs, delete and write.
import { type Call, notCovered, runInner, touchArgument } from '../call.ts'
import type { Word } from '../shell-analysis.ts'
import { supplyToken } from '../word.ts'

const FIND_EXEC = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const FIND_WRITE = new Set(['-fprint', '-fprint0', '-fprintf', '-fls'])
const FD_EXEC = /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/

export function readFind(call: Call): null {
  const isFd = call.name.startsWith('fd')
  for (let at = 1; at < call.words.length; at++) {
    const text = call.words[at]?.value ?? ''
    if (isFd ? FD_EXEC.test(text) : FIND_EXEC.has(text)) at = runAction(call, text, at + 1, isFd)
    else if (isFd && /^--exec(?:-batch)?=/.test(text)) notCovered(call, `${call.name} ${text} runs a program`)
    else if (!isFd && text === '-delete') notCovered(call, 'find -delete removes files')
    else if (!isFd && FIND_WRITE.has(text)) touchNext(call, 'write', ++at)
    else if (!isFd && text === '-files0-from') touchNext(call, 'read', ++at)
  }
  return null
}

function touchNext(call: Call, access: 'read' | 'write', at: number): void {
  const path = call.words[at]
  if (path) touchArgument(call, access, path, access === 'write' ? 'full' : 'deny-only')
}

/** Returns the position of the word that ends the action. */
function runAction(call: Call, action: string, start: number, isFd: boolean): number {
  let end = start
  while (end < call.words.length && !endsAction(call.words, end, isFd)) end++
  const words = supplyToken(call.words.slice(start, end), '{}')
  runInner(call, { words, behind: `${call.name} ${action}`, traits: [{ kind: 'more-arguments' }] })
  return end
}

function endsAction(words: readonly Word[], at: number, isFd: boolean): boolean {
  const text = words[at]?.value
  return text === ';' || (!isFd && text === '+' && words[at - 1]?.value === '{}')
}
