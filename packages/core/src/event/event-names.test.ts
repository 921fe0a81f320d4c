// The table is the only place that knows which events there are. A slip in a name elsewhere would be an event that never comes.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { factsOf, listAgents } from '../agent/agents.ts'
import { EVENTS, findEvent } from './table.ts'

const packages = fileURLToPath(new URL('../../../', import.meta.url))
const sources = ['core/src', 'host/src'].flatMap(folder =>
  readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !/\.test\.ts$|(^|\/)fixtures\//.test(file))
    .map(file => join(packages, folder, file)),
)
const texts = sources.map(file => ({ file: relative(packages, file), text: readFileSync(file, 'utf8') }))

/** `Pre`, `Tool`, `Use` ... A text that is made of nothing else is meant as the name of an event. */
const words = new Set(EVENTS.flatMap(({ name }) => splitWords(name)))

function splitWords(name: string): readonly string[] {
  return name.match(/[A-Z][a-z]+/g) ?? []
}

/** Every quoted text; agents list several names in one. */
function namesIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/'([A-Z][A-Za-z ]+)'/g)].flatMap(([, inside = '']) => inside.split(' '))
  return quoted.filter(name => /^(?:[A-Z][a-z]+){2,}$/.test(name) && splitWords(name).every(word => words.has(word)))
}

/** Made of the same words: an event of Kiro's, one of Cline's that means none of ours under that name, and two tools of Claude Code. */
const OTHERS = new Set(['PostFileCreate', 'TaskStart', 'TaskCreate', 'TaskStop'])

test('what is written like an event is one', () => {
  const unknown = texts.flatMap(({ file, text }) =>
    namesIn(text)
      .filter(name => findEvent(name) === null && !OTHERS.has(name))
      .map(name => `${file}: ${name}`),
  )
  expect(unknown).toEqual([])
  expect(texts.flatMap(({ text }) => namesIn(text)).length).toBeGreaterThan(200)
})

test.each(listAgents().map(({ id }) => id))('every event of %s means one of the table', id => {
  expect(Object.values(factsOf(id).events).filter(name => findEvent(name) === null)).toEqual([])
})

test('which events gate and which end something is said in the table alone', () => {
  const pairs = [
    ['PreToolUse', 'PermissionRequest'],
    ['PostToolUse', 'PostToolUseFailure'],
    ['Stop', 'SubagentStop'],
  ]
  const spelled = pairs.flatMap(([first, second]) => {
    const both = new RegExp(`\\['${first}', '${second}'(?:, 'UserPromptSubmit')?\\]|=== '${first}' \\|\\| [\\w.]+ === '${second}'`)
    return texts.filter(({ text }) => both.test(text)).map(({ file }) => `${file}: ${first}, ${second}`)
  })
  expect(spelled).toEqual([])
})
