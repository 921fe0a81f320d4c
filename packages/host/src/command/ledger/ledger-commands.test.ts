// The commands as a person uses them: on a real store, through the program, judged by what they print and their exit code.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../ledger/open-ledger.ts'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { CommandIo } from '../../terminal/io.ts'
import { addLedgerCommands } from './program-ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-ledger-commands-'))
const home = join(folder, 'home')
afterAll(() => rmSync(folder, { recursive: true }))

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

async function belay(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const result = { code: 0, out: '', err: '' }
  const io: CommandIo = {
    stdin: noInput(),
    stdout: { write: text => (result.out += text) },
    stderr: { write: text => (result.err += text) },
    env: { BELAY_HOME: home, HOME: folder, USER: 'ana' },
    cwd: folder,
    isTty: false,
    etc: join(folder, 'etc'),
  }
  const program = new Command('belay').exitOverride()
  addLedgerCommands(program, io, result)
  await program.parseAsync(argv, { from: 'user' })
  return result
}

const APPROVAL = {
  root: '/p',
  agent: 'codex',
  actor: 'agent:a',
  agent_id: 'a',
  session: null,
  commitment: null,
  tool: 'Bash',
  input: '{}',
  input_hash: '',
  reason: '',
  rule: null,
  origin: 'rule',
  approvers: '[]',
  expires_at: '2026-01-01T00:15:00.000Z',
  decided_at: null,
  decided_by: null,
  note: null,
} as const

/** One that is over and old, and three that stay: it waits, it holds a commitment, it is young. */
async function addApprovals(): Promise<void> {
  const store = await openSqliteStore({ file: join(home, 'belay.db') })
  const old = '2026-01-01T00:00:00.000Z'
  const rows = [
    { id: 'apr_over', kind: 'call', state: 'expired', created_at: old, used_at: null },
    { id: 'apr_open', kind: 'call', state: 'pending', created_at: old, used_at: null },
    { id: 'apr_gate', kind: 'gate', state: 'expired', created_at: old, used_at: null },
    { id: 'apr_young', kind: 'call', state: 'allowed', created_at: new Date().toISOString(), used_at: new Date().toISOString() },
  ] as const
  await store.transact(async tx => {
    for (const row of rows)
      await tx
        .insertInto('approvals')
        .values({ ...APPROVAL, ...row })
        .execute()
  })
  await store.close()
}

async function listApprovals(): Promise<readonly { readonly id: string }[]> {
  const store = await openSqliteStore({ file: join(home, 'belay.db'), readOnly: true })
  const rows = await store.db.selectFrom('approvals').select('id').orderBy('created_at').orderBy('id', 'desc').execute()
  await store.close()
  return rows
}

const seqs = (out: string): number[] => JSON.parse(out).map((entry: { seq: number }) => entry.seq)

test('without a store, there is nothing to read', async () => {
  expect(await belay('ledger', 'tail')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('belay.db does not exist') })
})

describe('with a ledger', () => {
  beforeAll(async () => {
    const ledger = await openLedger({ home, clock: { now: () => Date.parse('2026-01-01T10:00:00Z'), monotonic: () => 0 } })
    const append = (actor: string, session: string, body: Record<string, unknown>) =>
      ledger.append({ actor, session, kind: 'decision', policy: 'p', body }, { eventId: `${actor}${session}` })
    await append('agent:a', 's1', { tool: 'Bash', verdict: 'allow', input: { command: 'ls' }, toolUseId: 't1' })
    await append('agent:a', 's2', { tool: 'Bash', verdict: 'deny', reason: 'no \u001b[31mway', input: { command: 'rm -rf /' } })
    await append('agent:b', 's2', {
      tool: 'Write',
      verdict: 'ask',
      commitment: 'cmt_1',
      input: { content: 'x"\n'.repeat(3000), path: 'a_b%' },
    })
    await ledger.close()
  })

  test.each([
    [
      ['--actor', 'agent:a'],
      [2, 1],
    ],
    [
      ['--actor', 'agent:*'],
      [3, 2, 1],
    ],
    [['--tool', 'Write'], [3]],
    [['--verdict', 'deny'], [2]],
    [['--verdict', 'allow'], [1]],
    [['--session', 's2', '--tool', 'Bash'], [2]],
    [['--commitment', 'cmt_1'], [3]],
    [
      ['--kind', 'decision', '-n', '2'],
      [3, 2],
    ],
    [['--text', 'RM -RF'], [2]],
    // As it was, not as it stands in JSON; also in a value that stands beside the entry.
    [['--text', 'x"\nx"\n'], [3]],
    [['--text', 'a_b%'], [3]],
    [['--text', 'a*b'], []],
    [['--text', 'a.b'], []],
    [['--session', 's_*'], []],
    [
      ['--since', '2026-01-01', '--until', '2026-01-02'],
      [3, 2, 1],
    ],
    [['--since', '1d'], []],
  ])('query %j finds %j', async (options, expected) => {
    const { code, out } = await belay('ledger', 'query', '--json', ...options)
    expect({ code, seqs: seqs(out) }).toEqual({ code: expected.length > 0 ? 0 : 1, seqs: expected })
  })

  test('a time that is none is bad usage', async () => {
    expect(await belay('ledger', 'query', '--since', 'soon')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--since soon: give a date'),
    })
  })

  test('a verdict that is none is bad usage', async () => {
    expect(await belay('ledger', 'query', '--verdict', 'maybe')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--verdict maybe: give allow, ask, deny or none'),
    })
  })

  test('tail prints the last ones, for people without what a terminal would obey', async () => {
    const { code, out } = await belay('ledger', 'tail', '-n', '2')
    expect(code).toBe(0)
    expect(out.split('\n').map(line => line.trim().split(/\s+/)[0])).toEqual(['2', '3', ''])
    expect(out).toContain('deny')
    expect(out).not.toContain('\u001b')
  })

  test('show finds an entry by seq, by id, by the beginning of an id, and not otherwise', async () => {
    const bySeq = await belay('ledger', 'show', '3', '--json')
    const entry = JSON.parse(bySeq.out)
    expect(entry).toMatchObject({ seq: 3, actor: 'agent:b', body: { tool: 'Write' } })
    const blob = entry.blobs[entry.body.input.content.$blob]
    expect(blob.content).toBe('x"\n'.repeat(3000))
    expect((await belay('ledger', 'show', entry.id, '--json')).out).toBe(bySeq.out)
    const shown = (await belay('ledger', 'show', entry.id.slice(0, -2))).out
    expect([shown.includes(entry.hash), shown.includes(JSON.stringify('x"\n'.repeat(3000)))]).toEqual([true, true])
    expect(await belay('ledger', 'show', '99')).toMatchObject({ code: 1, err: expect.stringContaining('no entry 99') })
    expect(await belay('ledger', 'show', entry.id.slice(0, 8))).toMatchObject({
      code: 1,
      err: expect.stringContaining('several entries begin with'),
    })
  })

  test('export as JSONL holds all columns and verifies, with its checkpoint', async () => {
    expect(await belay('ledger', 'export', '-o', 'all.jsonl')).toMatchObject({
      code: 0,
      err: 'exported to all.jsonl, its last checkpoint to all.jsonl.note\n',
    })
    const lines = readFileSync(join(folder, 'all.jsonl'), 'utf8').trimEnd().split('\n')
    expect(Object.keys(JSON.parse(lines[0] ?? '')).sort()).toEqual([
      'actor',
      'body',
      'bodyHash',
      'format',
      'hash',
      'id',
      'judge',
      'kind',
      'policy',
      'prev',
      'rule',
      'salt',
      'seq',
      'session',
      'time',
      'tool',
      'verdict',
    ])
    expect(JSON.parse(lines[0] ?? '').body.toolUseId).toBe('t1')
    const { code, out } = await belay('ledger', 'verify', 'all.jsonl', '--json')
    expect({ code, report: JSON.parse(out) }).toMatchObject({
      code: 0,
      report: { ok: true, records: 3, sealed: 3, unsealed: 0, keys: { pinned: true }, blobs: { kept: 1 } },
    })
  })

  test.each<[string, (lines: string[]) => string[], number, string]>([
    ['an edited line', lines => lines.with(1, (lines[1] ?? '').replace('rm -rf', 'rm -rg')), 2, 'body_hash'],
    ['a removed line', lines => lines.toSpliced(1, 1), 2, 'gap'],
    ['a removed first line', lines => lines.slice(1), 1, 'gap'],
    ['swapped lines', lines => [lines[1] ?? '', lines[0] ?? '', lines[2] ?? ''], 1, 'gap'],
    ['an edited blob', lines => lines.with(2, (lines[2] ?? '').replace('x\\"', 'y\\"')), 3, 'blob'],
    ['a line that is not JSON', lines => lines.with(1, '{'), 2, 'file'],
    ['a cut tail', lines => lines.slice(0, 2), 3, 'gap'],
  ])('an export with %s is bad', async (_name, change, firstBad, kind) => {
    await belay('ledger', 'export', '-o', 'bad.jsonl')
    const lines = readFileSync(join(folder, 'bad.jsonl'), 'utf8').trimEnd().split('\n')
    writeFileSync(join(folder, 'bad.jsonl'), `${change(lines).join('\n')}\n`)
    const { code, out } = await belay('ledger', 'verify', 'bad.jsonl', '--json')
    const report = JSON.parse(out)
    expect({ code, firstBad: report.firstBad, faults: report.faults }).toEqual({
      code: 1,
      firstBad,
      faults: [{ seq: firstBad, kind, what: expect.any(String) }],
    })
  })

  test('in words, a signature that is not good is no break of the chain', async () => {
    await belay('ledger', 'export', '-o', 'signed.jsonl')
    const note = join(folder, 'signed.jsonl.note')
    writeFileSync(note, readFileSync(note, 'utf8').replace(/.{8}\n$/, 'AAAAAAA=\n'))
    const { code, out } = await belay('ledger', 'verify', 'signed.jsonl')
    expect(code).toBe(1)
    expect(out).toContain('chain        no break found up to the fault below\n')
    expect(out).toMatch(/^signatures .*; bad from row 1 on \(signature\)$/m)
    expect(out).toMatch(/^bad row 1: signature: the exported checkpoint is not signed as it must be/m)
  })

  test('and an edited row is', async () => {
    await belay('ledger', 'export', '-o', 'edited.jsonl')
    const file = join(folder, 'edited.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').replace('rm -rf', 'rm -rg'))
    const { code, out } = await belay('ledger', 'verify', 'edited.jsonl')
    expect(code).toBe(1)
    expect(out).toContain('chain        broken at row 2 (body hash)\n')
    expect(out).toContain('bad row 2: body hash: its body does not give its body hash\n')
  })

  test.each([
    ['ledger', 'export', '-o', 'missing/deep/out'],
    ['ledger', 'prove', '2', '-o', 'missing/deep/out'],
    ['backup', 'missing/deep/out'],
  ])('%s %s ... says which folder is missing', async (...args) => {
    const missing = join(folder, 'missing/deep')
    expect(await belay(...args)).toEqual({
      code: 2,
      out: '',
      err: `belay: missing/deep/out: there is no folder ${missing}\n  make it first (mkdir -p '${missing}'), or choose another place\n`,
    })
    const file = join(folder, 'no-folder')
    writeFileSync(file, '')
    expect(await belay(...args.slice(0, -1), 'no-folder/out')).toMatchObject({
      code: 2,
      err: `belay: no-folder/out: ${file} is not a folder\n  choose another place\n`,
    })
  })

  test('export as CSV quotes what needs it', async () => {
    const { out } = await belay('ledger', 'export', '--format', 'csv', '--tool', 'Bash')
    const [header, first] = out.split('\n')
    expect(header).toMatch(/^seq,time,kind,agent,.*,tool,call,verdict,.*,body$/)
    expect(first).toContain(',"{""input"":{""command"":""ls""},""tool"":""Bash"",""toolUseId"":""t1"",""verdict"":""allow""}"')
    expect(await belay('ledger', 'export', '--format', 'xml')).toMatchObject({ code: 2, err: expect.stringContaining('jsonl or csv') })
  })

  test('verify says in words what it checked', async () => {
    const { code, out } = await belay('ledger', 'verify')
    expect(code).toBe(0)
    expect(out).toContain('records      3 (1 to 3)')
    expect(out).toContain('is good')
  })

  test('a proof is checked by a script that shares no code with us', async () => {
    await belay('ledger', 'prove', '2', '-o', 'proof.json')
    const script = fileURLToPath(new URL('../../../../../docs/verify-proof.mjs', import.meta.url))
    const check = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' })
    const proof = JSON.parse(readFileSync(join(folder, 'proof.json'), 'utf8'))
    expect(check('proof.json', proof.keys[0])).toMatchObject({ status: 0, stdout: expect.stringContaining('entry 2 is in the ledger') })
    const edits: [string, (copy: typeof proof) => void][] = [
      ['entry', copy => (copy.entry.body.verdict = 'allow')],
      ['index', copy => (copy.index = 0)],
      ['path', copy => (copy.path[0] = '0'.repeat(64))],
      ['size', copy => (copy.size = 2)],
      ['checkpoint', copy => (copy.checkpoint = copy.checkpoint.replace('\n3\n', '\n4\n'))],
    ]
    for (const [what, edit] of edits) {
      const copy = structuredClone(proof)
      edit(copy)
      writeFileSync(join(folder, 'edited.json'), JSON.stringify(copy))
      expect(check('edited.json', proof.keys[0]).status, what).toBe(1)
    }
    const [name, id] = proof.keys[0].split('+')
    expect(check('proof.json', `${name}+${id}+${Buffer.alloc(33, 1).toString('base64')}`).status).toBe(1)
  })

  test('gc trims what is old, says so in the ledger, and everything still verifies', async () => {
    expect(await belay('ledger', 'gc')).toMatchObject({ code: 0, err: expect.stringContaining('nothing is ever trimmed') })
    writeFileSync(join(home, 'config.toml'), 'retention = { bodies_days = "ten" }\n')
    expect(await belay('ledger', 'gc')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/config\.toml:1:.*nothing was trimmed/s),
    })
    writeFileSync(join(home, 'config.toml'), 'person = "ana"\nretention = { bodies_days = 10, events_days = 10 }\n')
    await addApprovals()
    expect(JSON.parse((await belay('ledger', 'gc', '--dry-run', '--json')).out)).toEqual({
      beforeSeq: 4,
      blobs: 1,
      bytes: 9000,
      deliveries: 3,
      messages: 0,
      approvals: 1,
      toolCalls: 0,
      entriesBefore: null,
      entries: 0,
    })
    expect((await belay('ledger', 'gc')).out).toBe(
      'trimmed 0 entries, 1 blobs (9000 bytes), 3 delivery ids, 0 messages, 1 approvals, 0 tool calls\n',
    )
    expect((await listApprovals()).map(({ id }) => id)).toEqual(['apr_open', 'apr_gate', 'apr_young'])
    expect(JSON.parse((await belay('ledger', 'verify', '--json')).out)).toMatchObject({
      ok: true,
      records: 4,
      blobs: { kept: 0, pruned: 1 },
    })
    expect((await belay('ledger', 'query', '--kind', 'ledger_trimmed')).out).toContain('human:ana')
    await belay('ledger', 'export', '-o', 'trimmed.jsonl')
    expect(await belay('ledger', 'verify', 'trimmed.jsonl')).toMatchObject({ code: 0 })
    expect(await belay('ledger', 'prove', '3')).toMatchObject({ code: 0 })
  })

  test('a key is rotated, the ledger verifies from its first key on', async () => {
    const before = JSON.parse((await belay('ledger', 'prove', '1')).out).keys[0]
    const rotated = JSON.parse((await belay('key', 'rotate', '--json')).out)
    expect(rotated).toMatchObject({ seq: 5, from: before })
    expect(await belay('ledger', 'verify', '--key', before)).toMatchObject({ code: 0 })
    expect(await belay('ledger', 'verify', '--key', 'nonsense')).toMatchObject({ code: 2 })
  })

  test('a checkpoint goes to a second place, and shows a store that lost its tail', async () => {
    const made = await belay('ledger', 'checkpoint', '--to', 'elsewhere/last.note', '--json')
    expect(made.code).toBe(0)
    expect(readFileSync(join(folder, 'elsewhere/last.note'), 'utf8')).toBe(JSON.parse(made.out).note)
    expect(await belay('ledger', 'verify', '--checkpoint', 'elsewhere/last.note')).toMatchObject({ code: 0 })
  })

  test('a backup is a good ledger; restoring it keeps aside what was there and is recorded', async () => {
    expect(await belay('backup', 'copy.db')).toMatchObject({ code: 0 })
    expect(await belay('backup', 'copy.db')).toMatchObject({ code: 2, err: expect.stringContaining('never overwrites') })
    expect(await belay('ledger', 'verify', 'copy.db')).toMatchObject({ code: 0 })
    const ledger = await openLedger({ home })
    await ledger.append({ actor: 'agent:c', session: null, kind: 'decision', policy: null, body: {} })
    await ledger.close()
    const restored = await belay('restore', 'copy.db', '--json')
    const { aside } = JSON.parse(restored.out)
    expect(restored.code).toBe(0)
    expect(await belay('ledger', 'verify', aside)).toMatchObject({ code: 0 })
    expect(await belay('ledger', 'verify', '--checkpoint', 'elsewhere/last.note')).toMatchObject({ code: 0 })
    expect((await belay('ledger', 'tail', '-n', '1')).out).toContain('ledger_restored')
    // Against the checkpoint of what was there, the loss shows.
    expect(await belay('ledger', 'verify', '--checkpoint', `${aside}.checkpoint.note`)).toMatchObject({ code: 1 })
  })

  test('a backup that was tampered with is refused', async () => {
    await belay('backup', 'tampered.db')
    const bytes = readFileSync(join(folder, 'tampered.db'))
    const at = bytes.indexOf('rm -rf /')
    bytes.write('rm -rf .', at)
    writeFileSync(join(folder, 'tampered.db'), bytes)
    expect(await belay('restore', 'tampered.db')).toMatchObject({ code: 1, err: expect.stringContaining('is not a good backup: row 2') })
  })

  test('tail --follow shows what another process writes', async () => {
    const out: string[] = []
    const { runLedgerTail } = await import('./query.ts')
    const controller = new AbortController()
    const io = {
      stdout: { write: (text: string) => out.push(text) },
      stderr: process.stderr,
      env: { BELAY_HOME: home },
      cwd: folder,
      isTty: false,
      etc: '',
    }
    const following = runLedgerTail({ lines: 0, follow: true, json: true, signal: controller.signal }, { ...io, stdin: noInput() })
    const ledger = await openLedger({ home })
    const { id } = await ledger.append({ actor: 'agent:d', session: null, kind: 'decision', policy: null, body: {} })
    await expect.poll(() => out.join('')).toContain(id)
    controller.abort()
    expect(await following).toBe(0)
    await ledger.close()
  })

  test('a file that is no ledger is said to be none', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'hello\n')
    expect(await belay('ledger', 'verify', 'notes.txt')).toMatchObject({ code: 1, out: expect.stringContaining('line 1 is no entry') })
    await belay('backup', 'damaged.db')
    const bytes = readFileSync(join(folder, 'damaged.db'))
    writeFileSync(join(folder, 'damaged.db'), bytes.fill(0xff, 100, 40_000))
    expect(await belay('ledger', 'verify', 'damaged.db')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^chain {8}no break found up to the fault below\n[\s\S]*^bad row \d+: file: .*the database is damaged/m),
    })
    expect(await belay('ledger', 'verify', 'missing.db')).toMatchObject({ code: 1, err: expect.stringContaining('does not exist') })
  })
})
