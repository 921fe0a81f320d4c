// effort.start: a run of a skill begins.
import { needText, type Params, readRecord, readText, readTexts } from '../rpc/param.ts'
import { logPath } from '../state/artifact.ts'
import { beginEffort } from '../state/begin-effort.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { findCaller } from './caller.ts'
import { describeEffortRow, unwrap } from './effort-answer.ts'

export async function startEffortMethod(parts: WorkParts, params: Params) {
  const caller = await findCaller(parts, params)
  const hostTask = readText(params, 'hostTask')
  const { effort, row, skill, artifacts, missing } = unwrap(
    await beginEffort(parts, {
      root: caller.root,
      cwd: caller.cwd,
      agent: caller.agent,
      skill: needText(params, 'skill'),
      mode: readText(params, 'mode'),
      task: readText(params, 'task'),
      title: readText(params, 'title'),
      description: readText(params, 'description'),
      keywords: readTexts(params, 'keywords'),
      metadata: { ...readRecord(params, 'metadata'), ...(hostTask === null ? {} : { hostTask }) },
      path: readText(params, 'path') ?? parts.path,
    }),
  )
  return { ...describeEffortRow(row, caller), artifacts, log: logPath(effort), skillConfig: skill, missing }
}
