// The skill of an effort is in use while the effort is active. Written down outside the database too, for clients that find no daemon.
import { openActiveSkills } from '../config/active-skills.ts'
import { realPlace } from '../config/own-file.ts'
import type { WorkParts } from './work-parts.ts'

/** After an effort began or ended: which skills these agents, and the unnamed agents of the project, use now. */
export async function noteSkills({ rows, belayHome }: WorkParts, root: string, agentIds: readonly string[]): Promise<void> {
  const skills = openActiveSkills(belayHome)
  const ofProject = rows.latestEffort(root)?.skill
  for (const each of new Set([root, realPlace(root)])) skills.set({ kind: 'project', root: each }, ofProject ? [ofProject] : [])
  for (const id of agentIds) {
    const { effortId } = await rows.agent(id)
    const skill = rows.effort(effortId)?.skill
    skills.set({ kind: 'agent', id }, skill ? [skill] : [])
  }
}
