// Folders that a command line moves or copies before it uses what is in them: `mv src l; cat l/z` reads what `src/z` leads to.
// The disk still has the old names when this is judged, so what stands below a new name is judged under the old one too.
import { posix } from 'node:path'
import type { FileEffect, Unit, Word } from '../match/shell/shell-analysis.ts'
import { makeWord, textWord } from '../match/shell/word.ts'

export interface Rename {
  readonly from: string
  readonly to: string
}

/** Nobody writes more of them. */
const MAX_RENAMES = 256

/** null: there are more in the line than can be followed. */
export function findRenames(units: readonly Unit[]): readonly Rename[] | null {
  const found: Rename[] = []
  for (const unit of units) {
    if (!takesTrees(unit)) continue
    // What is moved may have come from elsewhere in the same line.
    for (const { from, to } of renamesOf(unit)) {
      found.push({ from, to }, ...formerPaths(found, from).map(former => ({ from: former, to })))
      if (found.length > MAX_RENAMES) return null
    }
  }
  return found
}

function formerPaths(renames: readonly Rename[], path: string): readonly string[] {
  return renames.flatMap(({ from, to }) => (path === to || path.startsWith(`${to}/`) ? [`${from}${path.slice(to.length)}`] : []))
}

function takesTrees({ words }: Unit): boolean {
  const name = words[0]?.value ?? ''
  if (!name.includes('mv') && !name.includes('cp')) return false
  const program = posix.basename(name)
  if (program === 'mv') return true
  return program === 'cp' && words.some(({ value }, at) => at > 0 && /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/.test(value ?? ''))
}

function renamesOf({ words, bases }: Unit): readonly Rename[] {
  const values = words.slice(1).flatMap(({ value, glob }) => (value === null || glob ? [] : [value]))
  const operands = values.filter(value => !value.startsWith('-'))
  const target = targetOption(values) ?? operands.at(-1)
  if (target === undefined) return []
  const places = bases ?? []
  return places.flatMap(base =>
    operands
      .filter(operand => operand !== target)
      // One more than can be followed says as much as all of them.
      .slice(0, MAX_RENAMES + 1)
      .flatMap(operand => {
        const from = posix.resolve(base, operand)
        const to = posix.resolve(base, target)
        // Into the folder, where it is one.
        return [to, posix.join(to, posix.basename(from))].map(each => ({ from, to: each }))
      }),
  )
}

function targetOption(values: readonly string[]): string | undefined {
  const at = values.findIndex(value => /^(?:-[a-zA-Z]*t|--target-directory)$/.test(value))
  if (at >= 0) return values[at + 1]
  return values.find(value => value.startsWith('--target-directory='))?.slice('--target-directory='.length)
}

/** The same file under the names it has before the line runs. */
export function formerWords(renames: readonly Rename[], { base }: FileEffect, word: Word): readonly Word[] {
  const [first] = word.parts
  if (renames.length === 0 || first?.kind !== 'text') return []
  // A name that goes on in a glob or an unknown part is no folder yet.
  const known = word.parts.length === 1 ? first.value : first.value.slice(0, first.value.lastIndexOf('/') + 1)
  if (known === '' || (base === null && !known.startsWith('/'))) return []
  return formerPaths(renames, posix.resolve(base ?? '/', known)).map(former => {
    if (word.parts.length === 1) return textWord(former, word.source)
    const rest = `/${first.value.slice(known.length)}`
    return makeWord([{ kind: 'text', value: `${former}${rest}` }, ...word.parts.slice(1)], word.source)
  })
}
