// The files that a new window is given: those of the skill and the task, and the directives that its effort found before. Contents as far as they
// fit, in order; the rest by name.
import { dirname } from 'node:path'
import { readOwnFile } from '../config/own-file.ts'
import { ownInstructions, recallDirectives } from './directive.ts'
import type { WorkParts } from './work-parts.ts'
import type { EffortRow } from './work-row.ts'
import type { WorkView } from './work-view.ts'

/** Room for the list of what does not fit. */
export const LIST_RESERVE = 800

interface GivenFile {
  readonly path: string
  /** null: it cannot be handed over. */
  readonly text: string | null
}

/** `room`: characters for the contents. */
export function giveFiles(parts: WorkParts, { facts, session, effort }: WorkView, room: number): readonly string[] {
  if (session === null || effort === null) return []
  const reader = { session, own: ownInstructions(session.agentKind) }
  const files = (facts.filesToPreload ?? []).map(path => ({ path, text: wrapFile(path, readGiven(path, effort, parts.skills)) }))
  const directives = recallDirectives(effort, reader, parts.directives).map(({ path, text }) => ({ path: path ?? '', text }))
  const given = fitFiles([...files, ...directives], room)
  for (const path of given.whole) session.loadedFiles.add(path)
  parts.rows.changed(session)
  return given.texts
}

function fitFiles(files: readonly GivenFile[], room: number): { readonly texts: readonly string[]; readonly whole: readonly string[] } {
  let left = room
  const texts: string[] = []
  const whole: string[] = []
  const named: string[] = []
  for (const { path, text } of files) {
    if (text === null || text.length + 1 > left) {
      named.push(path)
      continue
    }
    texts.push(text)
    whole.push(path)
    left -= text.length + 1
  }
  const list = named.map(path => `- ${path}`).join('\n')
  return { texts: named.length === 0 ? texts : [...texts, `Read before you go on:\n${list}`.slice(0, LIST_RESERVE - 10)], whole }
}

function wrapFile(path: string, text: string | null): string | null {
  return text === null ? null : `<file path="${path}">\n${text.trimEnd()}\n</file>`
}

/** Of the skill's own folder and of the task; anything else the agent reads itself, under its policy. */
function readGiven(file: string, effort: EffortRow, skills: WorkParts['skills']): string | null {
  const skill = skills.find(effort.projectRoot, effort.skill)
  return readOwnFile(file, effort.taskDir) ?? (skill === null ? null : readOwnFile(file, dirname(skill.file)))
}
