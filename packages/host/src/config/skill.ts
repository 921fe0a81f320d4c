// Skills as SKILL.md files describe them: an ordered list of phases, modes, templates of artifacts, files to read first. Frontmatter that
// cannot be read makes a skill without any of that, and says why; an effort may also run a skill that has no file at all.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isObject } from '@belay/core/value'
import { parse } from 'yaml'
import { isOnPath } from '../disk/on-path.ts'
import { noteWant } from '../disk/read-want.ts'
import { statFile } from '../disk/stat-file.ts'
import { readOwnFile } from './own-file.ts'

export interface SkillConfig {
  readonly name: string
  readonly file: string
  readonly version: string | null
  readonly description: string
  readonly phases: readonly string[]
  readonly modes: readonly string[]
  /** Kind of artifact -> the text it begins with. */
  readonly templates: Readonly<Record<string, string>>
  readonly nextSkills: readonly string[]
  /** Absolute paths of files that hold for the skill. */
  readonly directives: readonly string[]
  readonly preload: readonly string[]
  readonly keywords: readonly string[]
  /** Programs that it needs. */
  readonly commands: readonly string[]
  readonly heartbeatInterval: number | null
  readonly guards: readonly unknown[]
  /** Running it begins an effort. */
  readonly startsEffort: boolean
  readonly problem: string | null
}

export interface SkillBook {
  list(projectRoot: string): readonly SkillConfig[]
  find(projectRoot: string, name: string): SkillConfig | null
  /** Configuration changed: read the files again. */
  invalidate(): void
}

/** Nearest first: a project's skill hides the user's of the same name. */
export function createSkillBook({ belayHome, userHome }: { readonly belayHome: string; readonly userHome: string }): SkillBook {
  const kept = new Map<string, { readonly print: string; readonly skill: SkillConfig }>()

  function read(file: string): SkillConfig {
    const stat = statFile(file)
    const print = stat === null ? 'absent' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`
    const known = kept.get(file)
    if (known?.print === print) return known.skill
    const skill = parseSkill(readText(file) ?? '', file)
    kept.set(file, { print, skill })
    return skill
  }

  function list(projectRoot: string): readonly SkillConfig[] {
    const folders = [
      ...['.belay', '.claude', '.agents'].map(folder => join(projectRoot, folder, 'skills')),
      join(belayHome, 'skills'),
      join(userHome, '.claude', 'skills'),
    ]
    const found = new Map<string, SkillConfig>()
    for (const file of folders.flatMap(skillFiles)) {
      const skill = read(file)
      if (!found.has(skill.name)) found.set(skill.name, skill)
    }
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  return {
    list,
    find: (projectRoot, name) => list(projectRoot).find(skill => skill.name === name) ?? null,
    invalidate: () => kept.clear(),
  }
}

function skillFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .map(name => join(folder, name, 'SKILL.md'))
      .filter(file => existsSync(file))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}

/** What the skill names and is not there; `path`: where programs are looked for, null: nobody knows. */
export function findMissing({ preload, directives, commands }: SkillConfig, path: string | null): readonly string[] {
  const files = [...preload.map(file => ['preload', file]), ...directives.map(file => ['directives', file])]
  return [
    ...files.flatMap(([key = '', file = '']) => (existsSync(file) ? [] : [`${key}: ${file} is not there`])),
    ...commands.flatMap(name => (path === null || isOnPath(name, path) ? [] : [`cmd_dependencies: there is no program ${name}`])),
  ]
}

export function parseSkill(text: string, file: string): SkillConfig {
  const folder = dirname(file)
  const front = readFrontmatter(text)
  const { fields } = front
  const paths = (key: string) => texts(fields[key]).map(path => resolve(folder, path))
  return {
    name: typeof fields.name === 'string' && fields.name !== '' ? fields.name : basename(folder),
    file,
    version: fields.version === undefined || fields.version === null ? null : String(fields.version),
    description: typeof fields.description === 'string' ? fields.description : '',
    phases: labels(fields.phases),
    modes: labels(fields.modes),
    templates: readTemplates(fields.templates, folder),
    nextSkills: texts(fields.next_skills ?? fields['next-skills']),
    directives: paths('directives'),
    preload: paths('preload'),
    keywords: texts(fields.keywords),
    commands: texts(fields.cmd_dependencies ?? fields['cmd-dependencies']),
    heartbeatInterval: readInterval(fields.heartbeat_interval ?? fields['heartbeat-interval']),
    guards: Array.isArray(fields.guards) ? fields.guards : [],
    startsEffort: startsEffort(fields, file),
    problem: front.problem,
  }
}

/** Skills that are work of their own, whatever their file says, also where they have none. */
const WORK_SKILLS = new Set(['brainstorm', 'implement', 'fix'])
const WORK_FIELDS =
  'phases modes templates next_skills next-skills directives preload cmd_dependencies cmd-dependencies heartbeat_interval heartbeat-interval guards'

export function isWorkSkill(name: string): boolean {
  return WORK_SKILLS.has(name)
}

/** What it says itself (`effort: false`), else whether it describes work or was written for us: an ordinary skill of an agent is no effort. */
function startsEffort(fields: Fields, file: string): boolean {
  if (typeof fields.effort === 'boolean') return fields.effort
  const name = typeof fields.name === 'string' && fields.name !== '' ? fields.name : basename(dirname(file))
  return (
    isWorkSkill(name) ||
    WORK_FIELDS.split(' ').some(key => fields[key] !== undefined) ||
    basename(dirname(dirname(dirname(file)))) === '.belay'
  )
}

type Fields = Readonly<Record<string, unknown>>

function readFrontmatter(text: string): { readonly fields: Fields; readonly problem: string | null } {
  const block = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1]
  if (block === undefined) return { fields: {}, problem: 'there is no frontmatter' }
  try {
    const value: unknown = parse(block, { maxAliasCount: 20 })
    return isObject(value) ? { fields: value, problem: null } : { fields: {}, problem: 'the frontmatter is not a list of fields' }
  } catch (error) {
    return { fields: {}, problem: `the frontmatter is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}` }
  }
}

/** A template is a file beside the skill, or the text itself. */
function readTemplates(value: unknown, folder: string): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(
    entries.map(([kind, text]) => [kind, (text.includes('\n') ? null : readOwnFile(resolve(folder, text), folder)) ?? text]),
  )
}

/** Phases and modes are labels, or objects that have a name or label. */
function labels(value: unknown): readonly string[] {
  if (isObject(value)) return Object.keys(value)
  if (!Array.isArray(value)) return typeof value === 'string' ? texts(value) : []
  return value.flatMap(entry => {
    const label: unknown = isObject(entry) ? (entry.label ?? entry.name) : entry
    return typeof label === 'string' || typeof label === 'number' ? [String(label)] : []
  })
}

function texts(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map(entry => entry.trim())
      .filter(entry => entry !== '')
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}

function readInterval(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    noteWant(error)
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
