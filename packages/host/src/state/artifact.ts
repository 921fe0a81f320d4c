// Artifacts of an effort: files `N_SKILL_KIND.md` in the task's directory, begun from the skill's templates. The log is always there.
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { appendOwnFile, readOwnFile } from '../config/own-file.ts'
import type { SkillConfig } from '../config/skill.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { artifactPath, type Effort } from './effort.ts'

type Named = Pick<Effort, 'taskDir' | 'ordinal' | 'skill'>

const LOG_TEMPLATE = '# {{skill}} log\n\nEffort {{ordinal}} in {{task}}, started {{date}}.\n'

export function logPath(effort: Named): string {
  return artifactPath(effort, 'log')
}

/** Makes what is not there yet; never touches what is. */
export function createArtifacts(effort: Named & Pick<Effort, 'mode'>, skill: SkillConfig | null, now: string): readonly string[] {
  const kinds = Object.entries(skill?.templates ?? {})
  const templates = kinds.some(([kind]) => kind.toLowerCase() === 'log') ? kinds : [['log', LOG_TEMPLATE] as const, ...kinds]
  makeFolder(effort.taskDir)
  return templates.flatMap(([kind, template]) => {
    const file = artifactPath(effort, kind)
    return createFile(file, fillTemplate(template, effort, now)) ? [file] : []
  })
}

/** false: something of that name is there. */
function createFile(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function fillTemplate(template: string, effort: Named & Pick<Effort, 'mode'>, now: string): string {
  const values: Readonly<Record<string, string>> = {
    skill: effort.skill,
    mode: effort.mode ?? '',
    task: effort.taskDir,
    ordinal: String(effort.ordinal),
    date: now,
  }
  const text = template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values[name] ?? whole)
  return text.endsWith('\n') ? text : `${text}\n`
}

/** One progress entry at the end of the log. */
export function appendLog(effort: Named, text: string, now: string): ReturnType<typeof appendOwnFile> {
  const file = logPath(effort)
  makeFolder(dirname(file))
  return appendOwnFile(file, `\n## ${now}\n\n${text.trim()}\n`)
}

/** The artifacts that exist, by name. */
export function listArtifacts(effort: Named): readonly string[] {
  const prefix = `${effort.ordinal}_`
  try {
    return readdirSync(effort.taskDir)
      .filter(name => name.startsWith(prefix) && name.endsWith('.md'))
      .sort()
      .map(name => join(effort.taskDir, name))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

/** The end of the log, where the newest entries are; null where there is none. */
export function readLogTail(effort: Named, most: number): string | null {
  const text = readOwnFile(logPath(effort), effort.taskDir)
  return text === null || text.length <= most ? text : `…${text.slice(-most)}`
}
