import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readGuardRules } from '../state/guard-rule.ts'
import { createSkillBook, parseSkill } from './skill.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-skill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const empty = {
  version: null,
  description: '',
  phases: [],
  modes: [],
  templates: {},
  nextSkills: [],
  directives: [],
  preload: [],
  keywords: [],
  commands: [],
  heartbeatInterval: null,
  guards: [],
  startsEffort: false,
  problem: null,
}

test('everything a skill may say', () => {
  const file = write(
    'all/SKILL.md',
    `---
name: fix
description: mend a bug
version: 2
phases: [reproduce, {label: mend}, {name: prove}]
modes: {quick: once over, deep: all of it}
templates: {log: log.md, plan: "# Plan\\n"}
next_skills: [review, release]
directives: [rules.md]
preload: guide.md, more.md
keywords: [bug]
cmd_dependencies: [git]
heartbeat_interval: 5
guards: [{id: g}]
---
body`,
  )
  write('all/log.md', '# Log\n')
  expect(parseSkill(readFileSync(file, 'utf8'), file)).toEqual({
    name: 'fix',
    file,
    version: '2',
    description: 'mend a bug',
    phases: ['reproduce', 'mend', 'prove'],
    modes: ['quick', 'deep'],
    templates: { log: '# Log\n', plan: '# Plan\n' },
    nextSkills: ['review', 'release'],
    directives: [join(folder, 'all/rules.md')],
    preload: [join(folder, 'all/guide.md'), join(folder, 'all/more.md')],
    keywords: ['bug'],
    commands: ['git'],
    heartbeatInterval: 5,
    guards: [{ id: 'g' }],
    startsEffort: true,
    problem: null,
  })
})

test.each([
  ['no frontmatter', '# Title', 'there is no frontmatter'],
  ['no YAML', '---\na: [\n---\n', 'not YAML'],
  ['a list', '---\n- a\n---\n', 'not a list of fields'],
])('%s makes a skill with nothing, and says why', (_title, text, problem) => {
  const file = join(folder, 'odd', 'SKILL.md')
  expect(parseSkill(text, file)).toEqual({ ...empty, name: 'odd', file, problem: expect.stringContaining(problem) })
})

test('a template that leads out of the skill stays a text', () => {
  const secret = write('secret.txt', 'KEY=1')
  const file = write('out/SKILL.md', '')
  symlinkSync(secret, join(folder, 'out', 'link.md'))
  const skill = parseSkill('---\ntemplates: {a: ../secret.txt, b: link.md}\n---\n', file)
  expect(skill.templates).toEqual({ a: '../secret.txt', b: 'link.md' })
})

test('a project hides the user, and a changed file is read again', () => {
  const project = join(folder, 'project')
  write('user/.claude/skills/x/SKILL.md', '---\nname: x\ndescription: of the user\n---\n')
  write('user/.claude/skills/y/SKILL.md', '---\nname: y\n---\n')
  const book = createSkillBook({ belayHome: join(folder, 'belay'), userHome: join(folder, 'user') })
  expect(book.list(project).map(skill => skill.name)).toEqual(['x', 'y'])
  write('project/.belay/skills/x/SKILL.md', '---\nname: x\ndescription: of the project\n---\n')
  expect(book.find(project, 'x')?.description).toBe('of the project')
  write('project/.belay/skills/x/SKILL.md', '---\nname: x\ndescription: of the project, changed\n---\n')
  expect(book.find(project, 'x')?.description).toBe('of the project, changed')
  expect(book.find(project, 'z')).toBeNull()
})

test('the example in the guide is a skill, guards and all', () => {
  const guide = readFileSync(new URL('../../../../docs/guide/work.md', import.meta.url), 'utf8')
  const example = /```markdown\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const skill = parseSkill(example, join(folder, 'guide', 'SKILL.md'))
  expect(skill).toMatchObject({ name: 'implement', problem: null, phases: ['plan', 'build', 'verify'], heartbeatInterval: 10 })
  expect(readGuardRules(skill.guards)).toMatchObject({ ok: true, guards: [{ id: 'tests-before-deploy' }] })
})
