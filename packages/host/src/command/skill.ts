// belay skill list | show: what SKILL.md files describe.
import type { CommandIo, ExitCode } from './io.ts'
import { renderFields, renderTable, runVerb } from './state-call.ts'

interface Skill {
  readonly name: string
  readonly description: string
  readonly phases: readonly string[]
  readonly problem: string | null
}

export function runSkillList(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<readonly Skill[]>(io, {
    method: 'skill.list',
    json: options.json,
    render: skills =>
      renderTable(
        ['skill', 'phases', 'description'],
        skills.map(skill => [skill.name, skill.phases.join(' > ') || null, skill.problem ?? skill.description]),
        'no skills here; they are folders with a SKILL.md in .belay/skills or .claude/skills',
      ),
  })
}

export function runSkillShow(name: string, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<Readonly<Record<string, unknown>>>(io, {
    method: 'skill.show',
    params: { name },
    json: options.json,
    render: renderFields,
  })
}
