// What an agent hook may use to look around: Read, Grep, Glob below the project root, and the transcript. Nothing here writes, runs or leaves.

import { promises } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { compilePathGlob, pathGlobMatches } from '../../match/path/path-glob.ts'
import { compileRegex } from '../../match/regex.ts'
import { errorText } from '../../value/error-text.ts'
import { readEnd, readStart } from './read-end.ts'

export interface LookTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly input: Readonly<Record<string, unknown>>
  /** Never rejects: what is wrong is told to the model. */
  run(input: Readonly<Record<string, unknown>>): Promise<string>
}

const MAX_BYTES = 2 * 1024 * 1024
const MAX_TEXT = 30_000
const MAX_FILES = 20_000
const MAX_HITS = 200
const MAX_ENTRIES = 20
const MAX_ENTRY = 1_400
const SKIPPED = new Set(['.git', 'node_modules'])

export function createLookTools(root: string, transcriptPath: string | null): readonly LookTool[] {
  const tools = [
    tool('Read', 'Reads a text file of the project.', { path: 'string', offset: 'number?', limit: 'number?' }, input =>
      readLines(root, input),
    ),
    tool(
      'Grep',
      'Finds lines that match a regular expression in the files of the project.',
      { pattern: 'string', path: 'string?' },
      input => grep(root, input),
    ),
    tool('Glob', 'Lists files of the project whose path matches a glob.', { pattern: 'string' }, input => glob(root, input)),
  ]
  if (transcriptPath === null) return tools
  const search = tool(
    'SearchTranscript',
    'Finds lines of the conversation that match a regular expression.',
    { pattern: 'string' },
    input => searchTranscript(transcriptPath, regexOf(input)),
  )
  return [...tools, search]
}

type Input = Readonly<Record<string, unknown>>

function tool(
  name: string,
  description: string,
  fields: Readonly<Record<string, string>>,
  run: (input: Input) => Promise<string>,
): LookTool {
  const names = Object.keys(fields)
  const properties = Object.fromEntries(names.map(field => [field, { type: fields[field]?.replace('?', '') }]))
  const required = names.filter(field => !fields[field]?.endsWith('?'))
  return {
    name,
    description,
    input: { type: 'object', properties, required, additionalProperties: false },
    async run(input) {
      try {
        const text = await run(input)
        return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}\n… (cut)`
      } catch (error) {
        return `error: ${errorText(error)}`
      }
    },
  }
}

async function readLines(root: string, { path, offset, limit }: Input): Promise<string> {
  const text = await readStart(await inside(root, String(path)), MAX_BYTES)
  const first = typeof offset === 'number' ? Math.max(0, offset) : 0
  const count = typeof limit === 'number' ? limit : 2000
  return text
    .split('\n')
    .slice(first, first + count)
    .join('\n')
}

async function grep(root: string, input: Input): Promise<string> {
  const matches = regexOf(input)
  const start = await inside(root, typeof input.path === 'string' ? input.path : '.')
  const base = await promises.realpath(root)
  const hits: string[] = []
  for await (const file of filesBelow(start)) {
    if (hits.length >= MAX_HITS) break
    hits.push(...(await searchLines(file, relative(base, file), matches, MAX_HITS - hits.length)))
  }
  return hits.length === 0 ? 'no line matches' : hits.join('\n')
}

async function glob(root: string, { pattern }: Input): Promise<string> {
  const compiled = compilePathGlob(String(pattern).replace(/^\.\//, ''))
  const base = await promises.realpath(root)
  const found: string[] = []
  for await (const file of filesBelow(base)) {
    const path = relative(base, file).split(sep).join('/')
    if (pathGlobMatches(compiled, path)) found.push(path)
    if (found.length >= MAX_HITS) break
  }
  return found.length === 0 ? 'no file matches' : found.join('\n')
}

/** The end of a conversation counts most, so of one that is too long the end is read, and of too many hits the last are told. */
async function searchTranscript(file: string, matches: (line: string) => boolean): Promise<string> {
  const text = await readEnd(file, MAX_BYTES)
  const hits = text.split('\n').filter(matches)
  return hits.length === 0 ? 'no line matches' : hits.slice(-MAX_ENTRIES).map(shorten).join('\n')
}

/** A line of a transcript is a whole message. */
function shorten(line: string): string {
  return line.length <= MAX_ENTRY ? line : `${line.slice(0, MAX_ENTRY)} … (cut)`
}

async function searchLines(file: string, label: string, matches: (line: string) => boolean, most: number): Promise<readonly string[]> {
  const text = await readStart(file, MAX_BYTES)
  if (text.includes('\0')) return []
  const hits: string[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (hits.length >= most) break
    if (matches(line)) hits.push(`${label}:${at + 1}:${line.slice(0, 500)}`)
  }
  return hits
}

function regexOf({ pattern }: Input): (line: string) => boolean {
  const compiled = compileRegex(String(pattern), 'javascript')
  if (!compiled.ok) throw new Error(`the pattern does not work: ${compiled.problem.message}`)
  return compiled.test
}

/** Links are followed before the question where a path leads. */
async function inside(root: string, path: string): Promise<string> {
  const base = await promises.realpath(root)
  const file = await promises.realpath(resolve(base, path))
  const way = relative(base, file)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw new Error(`${path} is outside the project`)
  return file
}

async function* filesBelow(start: string): AsyncGenerator<string> {
  if ((await promises.stat(start)).isFile()) {
    yield start
    return
  }
  const waiting = [start]
  let seen = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await promises.readdir(folder, { withFileTypes: true })) {
      seen += 1
      if (seen > MAX_FILES) return
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path)
      else if (entry.isFile()) yield path
    }
  }
}
