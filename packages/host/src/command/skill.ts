// belay skill list | show: what SKILL.md files describe.
import type { CommandIo, ExitCode } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { renderFields, runVerb } from './state-call.ts'

interface Skill {
  readonly name: string
  readonly description: string
  readonly phases: readonly string[]
  readonly problem: string | null
  readonly missing: readonly string[]
}

export function runSkillList(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<readonly Skill[]>(io, {
    method: 'skill.list',
    params: pathOf(io),
    json: options.json,
    render: skills =>
      renderTable(
        io,
        ['skill', 'phases', 'description'],
        skills.map(skill => [
          skill.name,
          skill.phases.join(' > ') || null,
          [skill.problem ?? skill.description, ...skill.missing].filter(text => text !== '').join('; '),
        ]),
        'no skills here; they are folders with a SKILL.md in .belay/skills or .claude/skills',
      ),
  })
}

export function runSkillShow(name: string, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<Readonly<Record<string, unknown>>>(io, {
    method: 'skill.show',
    params: { name, ...pathOf(io) },
    json: options.json,
    render: renderFields,
  })
}

/** Where the skill's programs are looked for. */
function pathOf({ env }: CommandIo): Readonly<Record<string, string>> {
  return env.PATH === undefined ? {} : { path: env.PATH }
}
