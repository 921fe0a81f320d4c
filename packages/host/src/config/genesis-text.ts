// The text of a policy file, or why there is none. A file that is there and cannot be read is not a missing file.

import type { Diagnostic } from '@belay/core/policy'
import { errorText } from '@belay/core/value'
import { readRegularFile } from '../disk/read-regular-file.ts'

export type PolicyText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly problem: Diagnostic }

export function readPolicyText(path: string): PolicyText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readRegularFile(path))
    return { kind: 'text', text }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
    const [message, remedy] = reasons[code] ?? [`cannot be read: ${errorText(error)}`]
    const place = { file: path, line: 1, column: 1 }
    return { kind: 'unreadable', problem: { severity: 'error', message, place, ...(remedy === undefined ? {} : { remedy }) } }
  }
}

const reasons: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  ERR_ENCODING_INVALID_ENCODED_DATA: ['the file is not UTF-8', 'save it as UTF-8'],
  EACCES: ['the file may not be read', 'give yourself read permission'],
  ENOTREG: ['is a pipe or a device, expected a file', 'remove it'],
  EISDIR: ['is a directory, expected a file', 'remove the directory'],
}
