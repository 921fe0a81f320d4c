// Sandboxes that show folders of this machine under other names: `bwrap --bind . /w cat /w/x`.
import { type Call, touchArgument } from '../call.ts'
import { noteName } from '../made-file.ts'
import type { Word } from '../shell-analysis.ts'
import type { Program } from '../table/program.ts'

const BIND = /^--(?:ro-|dev-)?bind(?:-try)?$/
const MAX_WORDS = 256

export function readBinds(call: Call, _program: Program, from: number): readonly Word[] {
  for (let at = from; at + 2 < Math.min(call.words.length, MAX_WORDS); at++) {
    if (!BIND.test(call.words[at]?.value ?? '')) continue
    const [source, path] = call.words.slice(at + 1, at + 3)
    if (source === undefined || path === undefined) break
    noteName(call.walk, call.place, { path, source, kind: 'same', isDirectory: false })
    touchArgument(call, 'read', source, 'deny-only')
    at += 2
  }
  return call.words
}
