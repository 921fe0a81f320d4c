// The policy page through a real daemon: what holds, trying, comparing, previewing, and saving by a person.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@belay/core/ledger'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { homePaths } from '../../config/home.ts'
import { dropTrust } from '../../config/trust.ts'
import { runDaemon, type TestDaemon } from '../../daemon/fixtures/run-daemon.ts'
import { enterAsPerson, type Person, resultOf } from './fixtures/person.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - {type: deny, name: no-sudo, matcher: "Bash(sudo *)", config: {reason: "no"}}
permissions:
  default: ask
  actors:
    "agent:*":
      deny: [{rule: "Bash(git push *)", id: no-push}]
      allow: ["Bash(git *)", "Bash(git push origin *)", Read]
`

let daemon: TestDaemon
let person: Person
let file: string

beforeEach(async () => {
  daemon = await runDaemon({ policy: POLICY })
  person = await enterAsPerson(daemon)
  file = join(daemon.project, '.belay', 'genesis.key')
})
afterEach(() => daemon.stop())

type Row = Readonly<Record<string, unknown>>

const read = async (method: string, params: Readonly<Record<string, unknown>> = {}) =>
  resultOf(await daemon.rpc(method, { root: daemon.project, ...params }))
const act = async (method: string, params: Readonly<Record<string, unknown>>) =>
  resultOf(await person.call(method, { root: daemon.project, confirmed: true, ...params }))
const bash = (command: string) => daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: command })
const callBash = (command: string) => ({ actor: 'agent:executor', tool: 'Bash', input: { command } })

const recorded = (count: number) => expect.poll(async () => (await daemon.entries('pre_tool_use')).length).toBeGreaterThanOrEqual(count)

describe('what holds', () => {
  test('files, hooks and rules with what they did', async () => {
    await bash('git push')
    await bash('git status && git log')
    await bash('sudo ls')
    const view = await read('page.policy')
    expect(view).toMatchObject({
      root: daemon.project,
      hash: sha256Hex(POLICY),
      locked: null,
      budgetMs: 50,
      countedDays: 7,
      files: [{ file, owner: 'project', isOk: true, isTrusted: true, hash: sha256Hex(POLICY), text: POLICY, lint: [] }],
    })
    const rules = view.rules as readonly Row[]
    expect(rules.map(({ text, hits, shadowedBy }) => [text, hits, shadowedBy])).toEqual([
      ['Bash(git push *)', 1, null],
      ['Bash(git *)', 1, null],
      ['Bash(git push origin *)', 0, `deny Bash(git push *) for agent:* (${file}:9)`],
      ['Read', 0, null],
    ])
    const hooks = view.hooks as readonly Row[]
    expect(hooks.find(({ name }) => name === 'no-sudo')).toMatchObject({
      event: 'PreToolUse',
      type: 'deny',
      matcher: 'Bash(sudo *)',
      scope: 'policy',
      fail: 'closed',
      place: `${file}:4`,
      inert: null,
      runs: 1,
      failures: 0,
      p50Ms: expect.any(Number),
    })
  })

  test('a file that nobody trusts: what of it is inert, and why', async () => {
    const other = POLICY.replace('type: deny, name: no-sudo', 'type: command, name: script').replace('{reason: "no"}', '{command: "true"}')
    const rules = other.replace('allow: [', 'ask: ["Bash(npm *)"]\n      allow: ["Bash(ls *)", ')
    writeFileSync(file, `${rules}guardrails: {tool_ledger: {mode: "off"}}\n`)
    await expect.poll(async () => (await read('page.policy')).files).toMatchObject([{ isTrusted: false, isOk: true }])
    const view = await read('page.policy')
    // What was trusted holds, beside what the new text tightens; what both say stands there once.
    expect((view.rules as readonly Row[]).map(({ effect, text, inert }) => [effect, text, inert !== null])).toEqual([
      ['deny', 'Bash(git push *)', false],
      ['allow', 'Bash(git *)', false],
      ['allow', 'Bash(git push origin *)', false],
      ['allow', 'Read', false],
      ['ask', 'Bash(npm *)', false],
      ['allow', 'Bash(ls *)', true],
    ])
    expect(view.changes).toMatchObject([{ file, kind: 'edited', hash: sha256Hex(POLICY) }])
    await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' })
    const frame = await read('page.frame')
    expect(frame.policy).toMatchObject({ state: 'changed', problem: expect.stringContaining('was changed and nobody has accepted that') })
    const inert = (view.hooks as readonly Row[]).filter(hook => hook.inert !== null)
    expect(inert.map(({ name, inert: why }) => [name, why])).toEqual([
      ['script', `${file} is not trusted: its command hooks do not run until \`belay policy trust\``],
      ['tool_ledger', 'it is switched off'],
    ])
  })

  test.each([
    ['that a daemon has judged by', true],
    ['that was trusted, and never judged by', false],
  ])('a broken file %s: the error with its line, and since when the version in force is there', async (_title, wasSeen) => {
    if (wasSeen) await bash('git status')
    writeFileSync(file, 'version: "2.0"\npermissions: [\n')
    await expect
      .poll(async () => (await read('page.policy')).files)
      .toMatchObject([
        { isOk: false, lastGoodAt: expect.stringMatching(/^20/), hash: sha256Hex(POLICY), text: 'version: "2.0"\npermissions: [\n' },
      ])
    const view = await read('page.policy')
    const [{ lint }] = view.files as [{ lint: readonly Row[] }]
    expect(lint[0]).toMatchObject({ file, severity: 'error', line: expect.any(Number) })
    if (!wasSeen) await bash('git status')
    expect((await read('page.frame')).policy).toMatchObject({
      state: 'broken',
      lastGoodAt: expect.any(String),
      problem: expect.stringContaining(file),
    })
  })
})

describe('the playground', () => {
  test('a call against the file, and against the text on screen', async () => {
    expect(await read('page.try', { call: callBash('git status && sudo ls') })).toMatchObject({
      verdict: 'ask',
      parser: 'ok',
      parts: [
        { source: 'git status', decision: 'allow', start: 0, end: 10 },
        { source: 'sudo ls', decision: 'ask', rule: null },
        { source: 'ls', decision: 'none', reason: 'decided by the rule for sudo' },
      ],
      hooks: expect.arrayContaining([{ name: 'no-sudo', scope: 'policy', type: 'deny', place: `${file}:4:7` }]),
      lint: [],
    })
    const text = POLICY.replace('default: ask', 'default: deny')
    const tried = await read('page.try', { text, call: callBash('npm test') })
    expect(tried).toMatchObject({ verdict: 'deny', rule: null })
    expect((tried.hooks as readonly Row[]).map(({ name }) => name)).not.toContain('no-sudo')
    expect((await read('page.try', { call: callBash('npm test') })).verdict).toBe('ask')
  })

  test('a text with errors says where, and leaves the policy in force', async () => {
    const text = POLICY.replace('no-push}', 'no-push')
    const tried = await read('page.try', { text, call: callBash('git push') })
    expect(tried).toMatchObject({
      verdict: 'deny',
      reason: expect.stringMatching(/^the text has errors, so the policy in force decided: /),
    })
    expect((tried.lint as readonly Row[])[0]).toMatchObject({
      file,
      severity: 'error',
      line: expect.any(Number),
      column: expect.any(Number),
    })
  })

  test('what of the last calls would come out differently', async () => {
    for (const command of ['git status', 'git push', 'npm test']) await bash(command)
    await recorded(3)
    const text = POLICY.replace('"Bash(git *)", ', '').replace('default: ask', 'default: none')
    const compared = await read('page.compare', { text })
    expect(compared).toMatchObject({ judged: 3, counts: { 'allow>none': 1, 'ask>none': 1 }, lint: [] })
    expect((compared.changed as readonly { row: Row; after: string }[]).map(({ row }) => row.summary)).toEqual(['npm test', 'git status'])
    expect(await read('page.compare', { text: POLICY })).toMatchObject({ judged: 3, changed: [], counts: {} })
    expect(await read('page.compare', { text, last: 1 })).toMatchObject({ judged: 1 })
    expect(await read('page.compare', { text: 'permissions: 7' })).toMatchObject({ judged: 0, lint: [{ severity: 'error' }] })
  })

  test('the same over a range: one call of each kind of change, with its number', async () => {
    for (const command of ['git status', 'git diff', 'git push', `echo ${'x'.repeat(40_000)}`]) await bash(command)
    await recorded(4)
    const middle = new Date().toISOString()
    await bash('npm test')
    await recorded(5)
    const text = POLICY.replace('"Bash(git *)", ', '').replace('default: ask', 'default: none')
    const all = await read('page.compare', { text, filter: {} })
    expect(all).toMatchObject({ judged: 5, counts: { 'allow>none': 2, 'ask>none': 2 }, unjudged: [], lint: [] })
    expect((all.changed as readonly { row: Row; count: number }[]).map(({ row, count }) => [row.summary, count])).toEqual([
      ['git status', 2],
      ['(command, 40005 bytes)', 2],
    ])
    // Large values stand beside the record: they are read for the last calls as for a range.
    expect(await read('page.compare', { text })).toMatchObject({ judged: 5, counts: all.counts })
    expect(await read('page.compare', { text, filter: { since: middle } })).toMatchObject({ judged: 1, counts: { 'ask>none': 1 } })
    expect(await read('page.compare', { text, filter: { until: middle, actor: 'agent:*' } })).toMatchObject({ judged: 4 })
    expect(await read('page.compare', { text, filter: { session: 'no such' } })).toMatchObject({ judged: 0, counts: {} })
    expect(await read('page.compare', { text: 'permissions: 7', filter: {} })).toMatchObject({ judged: 0, lint: [{ severity: 'error' }] })
  })

  test('what a pattern would have allowed of what was refused', async () => {
    for (const command of ['npm test', 'npm run build', 'git push', 'git status', 'npm test && git push']) await bash(command)
    await recorded(5)
    const preview = await read('page.preview', { pattern: 'Bash(npm *)', actor: 'agent:*' })
    expect(preview).toMatchObject({ judged: 4, days: 7, problem: null, matches: 3, stillDenied: 1 })
    expect((preview.samples as readonly { row: Row }[]).map(({ row }) => row.summary).sort()).toEqual(['npm run build', 'npm test'])
    expect(await read('page.preview', { pattern: 'Bash(npm *)', actor: 'human:ada' })).toMatchObject({ judged: 0 })
    expect(await read('page.preview', { pattern: 'Bash(npm' })).toMatchObject({ judged: 0, problem: expect.any(String) })
  })
})

describe('saving', () => {
  const text = POLICY.replace('Bash(git *)', 'Bash(npm *)')

  test('writes the file, keeps its trust, holds at once, and is recorded with both hashes and the difference', async () => {
    const saved = await act('page.save', { text, baseHash: sha256Hex(POLICY) })
    expect(saved).toMatchObject({ kind: 'saved', file, hash: sha256Hex(text) })
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(await read('page.record', { seq: saved.seq })).toMatchObject({
      sentence: expect.stringMatching(/^human:.* recorded policy change: /),
      diffs: [{ path: file, text: expect.stringContaining('npm') }],
    })
    expect((await read('page.policy')).files).toMatchObject([{ isTrusted: true, hash: sha256Hex(text) }])
    expect((await bash('npm test')).decision).toBe('allow')
    const [entry] = await daemon.entries('policy_change')
    expect(entry).toMatchObject({
      seq: saved.seq,
      actor: expect.stringMatching(/^human:/),
      read: { file, before: sha256Hex(POLICY), after: sha256Hex(text), via: 'dashboard', diff: expect.stringContaining('-      allow:') },
    })
  })

  test('makes the first policy of a project', async () => {
    rmSync(file)
    dropTrust(homePaths(daemon.home).trust, file)
    expect(await act('page.save', { text, baseHash: null })).toMatchObject({ kind: 'saved', file })
    expect((await read('page.policy')).files).toMatchObject([{ isTrusted: true }])
  })

  test('an untrusted file stays untrusted', async () => {
    const theirs = `${POLICY}# of somebody else\n`
    writeFileSync(file, theirs)
    await expect.poll(async () => (await read('page.policy')).files).toMatchObject([{ isTrusted: false }])
    await act('page.save', { text, baseHash: sha256Hex(theirs) })
    expect((await read('page.policy')).files).toMatchObject([{ isTrusted: false, hash: sha256Hex(text) }])
  })

  test('a file that was changed meanwhile is not overwritten', async () => {
    const theirs = `${POLICY}# changed\n`
    writeFileSync(file, theirs)
    expect(await act('page.save', { text, baseHash: sha256Hex(POLICY) })).toEqual({
      kind: 'conflict',
      file,
      hash: sha256Hex(theirs),
      text: theirs,
    })
    expect(await act('page.save', { text, baseHash: null })).toMatchObject({ kind: 'conflict' })
    rmSync(file)
    expect(await act('page.save', { text, baseHash: sha256Hex(POLICY) })).toEqual({ kind: 'conflict', file, hash: null, text: '' })
    expect(existsSync(file)).toBe(false)
    expect(await daemon.entries('policy_change')).toEqual([])
  })

  test('a text with errors is not saved', async () => {
    expect(await act('page.save', { text: 'permissions: 7\n', baseHash: sha256Hex(POLICY) })).toMatchObject({
      kind: 'refused',
      lint: [{ file, line: 1, severity: 'error' }],
    })
    expect(readFileSync(file, 'utf8')).toBe(POLICY)
  })

  test('an allow rule for a recorded call', async () => {
    expect((await bash('npm test')).decision).not.toBe('allow')
    const added = await act('page.allow', { actor: 'agent:*', pattern: 'Bash(npm test *)' })
    expect(added).toMatchObject({ pattern: 'Bash(npm test *)', file, isTrusted: true })
    expect((await bash('npm test')).decision).toBe('allow')
    const [entry] = await daemon.entries('policy_change')
    expect(entry).toMatchObject({ seq: added.seq, read: { file, diff: expect.stringContaining('+') } })
    expect(
      await person.call('page.allow', { root: daemon.project, actor: 'agent:*', pattern: 'Bash(npm test *)', confirmed: true }),
    ).toMatchObject({
      error: { message: expect.stringContaining('has this rule') },
    })
    expect(await person.call('page.allow', { root: daemon.project, actor: 'agent:*', pattern: 'Bash(npm', confirmed: true })).toMatchObject(
      {
        error: { message: expect.stringContaining('the pattern') },
      },
    )
  })

  test('needs a person who has confirmed it', async () => {
    const params = { root: daemon.project, text, baseHash: sha256Hex(POLICY), actor: 'agent:*', pattern: 'Bash', agent: 'claude-code:s1' }
    for (const method of ['page.save', 'page.allow', 'page.markChecked']) {
      const reply = await daemon.rpc(method, { ...params, confirmed: true })
      expect(reply).toMatchObject({ error: { code: -32000, message: expect.stringContaining('only people') } })
    }
    for (const confirmed of [undefined, 'yes', 1])
      expect(await person.call('page.save', { ...params, ...(confirmed === undefined ? {} : { confirmed }) })).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('confirmed') },
      })
    expect(readFileSync(file, 'utf8')).toBe(POLICY)
  })
})
