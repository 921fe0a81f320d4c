// Programs whose files stand where no option list finds them: names on standard input, the key letters of ar, `@file`.
import { type Call, touchArgument } from '../call.ts'
import type { Word } from '../shell-analysis.ts'
import { knownNames } from '../stdin-names.ts'
import { dropText, leadingText } from '../word.ts'

/** cpio, pax, afio: the files to pack are named on standard input; what comes out is named by the operands. */
export function readStdinNames(call: Call): readonly Word[] {
  const takesOut = call.words.some(word => /^-\w*i/.test(word.value ?? '') || word.value === '--extract')
  for (const name of takesOut ? [] : knownNames(call)) touchArgument(call, 'read', name, 'deny-only')
  const members = takesOut ? call.words.slice(1).filter(word => !leadingText(word).startsWith('-')) : []
  for (const member of members) touchArgument(call, 'write', member, 'deny-only')
  return call.words
}

/** `ar rcs x.a a.o`, `ar x x.a a.o`, `ar p x.a`: the letters say what happens. */
export function readAr(call: Call): null {
  const [keys, ...rest] = call.words.slice(1).filter(word => !leadingText(word).startsWith('--'))
  const letters = (keys?.value ?? '').replace(/^-/, '')
  const archiveAt = /[abi]/.test(letters) ? 1 : 0
  rest.forEach((word, index) => {
    if (index < archiveAt) return
    if (index === archiveAt) touchArgument(call, /[rqdms]/.test(letters) ? 'write' : 'read', word, 'deny-only')
    else touchArgument(call, /x/.test(letters) ? 'write' : 'read', word, 'deny-only')
  })
  return null
}

/** httpie: `@x`, `field@x`, `field=@x`, `field:=@x`. */
export function readHttpItems(call: Call): readonly Word[] {
  for (const word of call.words.slice(1)) {
    const at = /^[\w.[\]-]*(?::?=)?@/.exec(leadingText(word))
    if (at) touchArgument(call, 'read', dropText(word, at[0].length), 'deny-only')
  }
  return call.words
}
