// What a container gets of this machine: `-v /host:/inside`, `--mount type=bind,source=/host`.
import { posix } from 'node:path'
import { fillDirectory } from '../argument-file.ts'
import { type Call, notCovered, touchArgument } from '../call.ts'
import { noteName } from '../made-file.ts'
import type { Word } from '../shell-analysis.ts'
import { dropText, leadingText, makeWord, textWord } from '../word.ts'

export function mountPlace(call: Call, use: 'volume' | 'mount', value: Word): void {
  const source = use === 'volume' ? volumeSource(value) : mountSource(value)
  if (source === null) return
  if (holdsHome(call, source)) notCovered(call, `${source.source} gives the container the home directory`)
  const inside = use === 'volume' ? volumeTarget(value) : mountTarget(value)
  // Behind the launcher the source goes by this name.
  if (inside !== null) noteName(call.walk, call.place, { path: inside, source, kind: 'same', isDirectory: false })
  touchArgument(call, 'read', source, 'deny-only')
  touchArgument(call, 'read', makeWord([...source.parts, { kind: 'text', value: '/mounted' }], source.source), 'deny-only')
  if (!isReadOnly(use, value)) fillDirectory(call, source)
}

/** The whole of it, or what lies above: keys and settings of every program go along. */
function holdsHome({ walk: { context } }: Call, { value }: Word): boolean {
  if (!value?.startsWith('/')) return false
  const path = posix.join(value, '/')
  return posix.join(context.home, '/').startsWith(path)
}

/** null: a volume by its name, or one without a place here. */
function volumeSource(value: Word): Word | null {
  const text = leadingText(value)
  if (!/^[./~]/.test(text)) return null
  const colon = text.indexOf(':')
  if (colon >= 0) return textWord(text.slice(0, colon), value.source)
  return value.value === null ? value : null
}

function volumeTarget({ value, source }: Word): Word | null {
  const path = value === null ? undefined : value.split(':', 2)[1]
  return path?.startsWith('/') === true ? textWord(path, source) : null
}

function mountSource(value: Word): Word | null {
  return mountField(value, /(?:^|,)(?:src|source|device)=/)
}

function mountTarget(value: Word): Word | null {
  return mountField(value, /(?:^|,)(?:dst|destination|target)=/)
}

function mountField(value: Word, name: RegExp): Word | null {
  const found = name.exec(leadingText(value))
  if (found === null) return null
  const field = dropText(value, found.index + found[0].length)
  return field.value === null ? field : textWord(field.value.replace(/,.*$/s, ''), value.source)
}

function isReadOnly(use: 'volume' | 'mount', { value }: Word): boolean {
  if (value === null) return false
  return use === 'volume' ? /:(?:[^:]*,)?ro(?:,[^:]*)?$/.test(value) : /(?:^|,)(?:ro|readonly)(?:=true|=1)?(?:,|$)/.test(value)
}
