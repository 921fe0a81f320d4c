// What came of each attack, kept as it ends, so that a campaign that was cut off goes on where it stood. Only cells of exactly this build and
// these attacks count: a change of either begins anew.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILE = join(ROOT, '.cache', 'self-attacks.jsonl')
const PARTS = ['packages/host/dist', 'packages/host/bin', 'packages/host/native', 'e2e/self']

/** `passed`: names of the attacks that worked without their protection and were held with it. */
export function openKeptCells(isReal) {
  const state = hashState()
  return {
    state,
    passed: () =>
      new Set(
        readLines()
          .filter(cell => cell.state === state && cell.isReal === isReal && cell.works && cell.holds)
          .map(({ name }) => name),
      ),
    keep({ name, works, holds }) {
      mkdirSync(dirname(FILE), { recursive: true })
      appendFileSync(FILE, `${JSON.stringify({ state, isReal, name, works, holds })}\n`)
    },
  }
}

function readLines() {
  if (!existsSync(FILE)) return []
  const lines = readFileSync(FILE, 'utf8').split('\n')
  // A line that a kill cut short is none.
  return lines.flatMap(line => (line.endsWith('}') ? [JSON.parse(line)] : []))
}

function hashState() {
  const hash = createHash('sha256')
  for (const part of PARTS) {
    const files = readdirSync(join(ROOT, part), { recursive: true, withFileTypes: true }).filter(each => each.isFile())
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
      hash.update(`${path.slice(ROOT.length)}\0`)
      hash.update(readFileSync(path))
    }
  }
  return hash.digest('hex').slice(0, 12)
}
