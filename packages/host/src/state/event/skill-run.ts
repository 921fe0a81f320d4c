// Running a skill begins its effort: as a slash command, in a prompt or where the agent expands it, or by the agent's Skill tool.
import { resolve } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { skillOfCall } from '../../config/active-skills.ts'
import { isWorkSkill } from '../../config/skill.ts'
import { statFile } from '../../disk/stat-file.ts'
import { logPath } from '../artifact.ts'
import { beginEffort } from '../begin-effort.ts'
import { giveFiles, LIST_RESERVE } from '../give-files.ts'
import { describeEffort, describeMissing, filesToPreload } from '../recovery.ts'
import { joinEffort } from '../window.ts'
import type { WorkParts } from '../work-parts.ts'
import type { EffortRow } from '../work-row.ts'
import { toolOf, type WorkView } from '../work-view.ts'
import type { EventWork } from './event-work.ts'

interface SkillRun {
  readonly name: string
  readonly args: string
}

export const userPromptExpansion: EventWork = {
  after(parts, view, { verdict }) {
    const { commandName, commandArgs } = view.call.event.fields
    if (verdict.decision === 'deny' || typeof commandName !== 'string') return []
    return runSkill(parts, view, readRun(`/${commandName.replace(/^\//, '')} ${typeof commandArgs === 'string' ? commandArgs : ''}`))
  },
}

/** A prompt that is a slash command. */
export function runOfPrompt(prompt: unknown): SkillRun | null {
  return typeof prompt === 'string' ? readRun(prompt.trim()) : null
}

/** A call that runs a skill. */
export function runOfCall({ call }: WorkView): SkillRun | null {
  const name = skillOfCall(call.event)
  const { args } = toolOf(call.event).input
  return name === null ? null : { name, args: typeof args === 'string' ? args : '' }
}

/** A plugin's skill is called with the plugin's name before it. */
function readRun(text: string): SkillRun | null {
  const [, name, args = ''] = /^\/([\w.:-]+)(?:\s+([\s\S]*))?$/.exec(text) ?? []
  return name === undefined ? null : { name: name.split(':').at(-1) ?? name, args: args.trim() }
}

/** What the model is told of it; nothing where the skill is no work of its own. */
export async function runSkill(parts: WorkParts, view: WorkView, run: SkillRun | null): Promise<readonly string[]> {
  if (run === null || view.isRepeat) return []
  const { call, effort } = view
  const skill = parts.skills.find(call.root, run.name)
  if (!(skill?.startsEffort ?? isWorkSkill(run.name))) return []
  const isRunning = effort?.skill === run.name
  // An effort that only stands in for an agent without an id may be another agent's.
  if (effort !== null && call.isNamed) return isRunning ? [] : [`/${run.name} begins no effort of its own: ${describeBusy(effort, parts)}`]
  const begun = await beginEffort(parts, {
    ...{ root: call.root, cwd: call.event.cwd, path: parts.path },
    ...{ skill: run.name, mode: null, title: null, description: null, keywords: [], metadata: {} },
    agent: call.isNamed ? view.agent : null,
    task: findTask(run.args, call.event.cwd),
  })
  if (!begun.ok) return isRunning ? [] : [`/${run.name} begins no effort: ${begun.problem}`]
  const { row, missing } = begun.value
  view.effort = row
  await joinEffort(parts, view, row)
  return describeBegun(parts, view, missing)
}

function describeBusy(effort: EffortRow, { command }: WorkParts): string {
  return `${describeEffort(effort)} is active; finish that one with: ${command} effort finish`
}

/** The first word, where it is a folder. */
function findTask(args: string, cwd: string): string | null {
  const [word = ''] = args.split(/\s/)
  return word !== '' && statFile(resolve(cwd, word))?.isDirectory() === true ? word : null
}

/** What a window gets at its start; the skill itself the agent has just read. */
function describeBegun(parts: WorkParts, view: WorkView, missing: readonly string[]): readonly string[] {
  const { effort, facts, call } = view
  if (effort === null || call.isReplayed === true) return []
  const skill = parts.skills.find(effort.projectRoot, effort.skill)
  facts.filesToPreload = filesToPreload(effort, skill).filter(file => file !== skill?.file)
  const head = [
    `You work on ${describeEffort(effort)}. Log progress with: ${parts.command} log TEXT (it goes to ${logPath(effort)}).`,
    ...describeMissing(missing),
  ].join('\n')
  const room = (findAgent(call.event.agent)?.contextLimit ?? 0) - LIST_RESERVE - head.length
  return [head, ...giveFiles(parts, view, room)]
}
