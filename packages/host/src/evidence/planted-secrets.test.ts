// Plants generated secrets in every field of events, in commitments, approvals and the spool, and looks for them in every byte that was
// written. Nothing that looks like a credential stands in this file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { encodeExportLine } from '../ledger/export-line.ts'
import { streamEntries } from '../ledger/read-entry.ts'
import { judgeAlone } from '../shim/judge-alone.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'

const POLICY = `version: "2.0"
hooks:
  post_tool_use:
    - { matcher: "*", type: evidence_capture, config: { ledger: true, kind: proof } }
    - { matcher: "*", type: ledger_annotation, config: { text: "ran {{/tool_input/command}}" } }
permissions:
  default: none
  actors:
    "agent:*":
      ask: ["Bash(git *)"]
      deny: ["Bash(rm *)"]
`

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const seed = Number(process.env.BELAY_REDACT_SEED ?? 20261115)
let state = seed
const draw = (length: number, alphabet = ALPHABET): string =>
  Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return alphabet.charAt((state >> 8) % alphabet.length)
  }).join('')

const FORMATS: readonly (() => string)[] = [
  () => `ghp_${draw(36)}`,
  () => `AKIA${draw(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  () => `sk-ant-api03-${draw(93)}AA`,
  () => `sk-proj-${draw(48)}`,
  () => `xoxb-${draw(12, '0123456789')}-${draw(12, '0123456789')}-${draw(24)}`,
  () => `npm_${draw(36)}`,
  () => `glpat-${draw(19)}7`,
  () => `sk_live_${draw(24)}`,
  () => `AIza${draw(35)}`,
  () => `hf_${draw(34)}`,
]

type Plant = (belay: TestDaemon, secret: string) => Promise<unknown>

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'c' })

const PLANTS: Readonly<Record<string, Plant>> = {
  'a denied command': (belay, secret) => belay.hook('PreToolUse', bash(`rm x # ${secret}`)),
  'a command that waits for approval': (belay, secret) =>
    belay.hook('PreToolUse', bash(`git push https://u:${secret}@h/x`), { 'deadline-ms': 300 }),
  'an allowed command': (belay, secret) => belay.hook('PreToolUse', bash(`curl -H "Authorization: Bearer ${secret}" https://h`)),
  'output and error': async (belay, secret) => {
    await belay.hook('PostToolUse', { ...bash(`echo ${secret}`), tool_response: { stdout: secret, stderr: `token=${secret}` } })
    await belay.hook('PostToolUseFailure', { ...bash(`echo ${secret}`), error: `exit code 1 ${secret}` })
  },
  'a file and its diff': async (belay, secret) => {
    const file = join(belay.project, 'a.env')
    const write = { tool_name: 'Write', tool_input: { file_path: file, content: `TOKEN=${secret}` }, tool_use_id: 'w' }
    await belay.hook('PreToolUse', write)
    writeFileSync(file, `TOKEN=${secret}\nlast\n`)
    await belay.hook('PostToolUse', {
      ...write,
      tool_response: { originalFile: `OLD=${secret}\n`, structuredPatch: [{ lines: [`-${secret}`] }] },
    })
  },
  'a prompt and a message': async (belay, secret) => {
    await belay.hook('UserPromptSubmit', { prompt: `use ${secret} please` })
    await belay.hook('Stop', { last_assistant_message: `done with ${secret}` })
    await belay.hook('Notification', { message: `key ${secret}`, title: secret })
  },
  'a field nobody knows': (belay, secret) =>
    belay.hook('PreToolUse', { ...bash('ls'), extra: { deep: [{ note: secret }] }, [`x_${'y'}`]: secret }),
  'a commitment and its evidence': async (belay, secret) => {
    const made = await belay.rpc('commitments.commit', { actor: 'agent:a', cwd: belay.project, text: `rotate ${secret}` })
    const target = 'result' in made ? (made.result.commitment as { id: string }).id : ''
    await belay.rpc('commitments.evidence', {
      actor: 'agent:a',
      target,
      cwd: belay.project,
      text: secret,
      log: `log ${secret}`,
      url: `https://u:${secret}@h/`,
    })
    await belay.rpc('commitments.annotate', { actor: 'agent:a', target, cwd: belay.project, text: secret })
  },
  'an approval with a note': async (belay, secret) => {
    const asked = await belay.hook('PreToolUse', bash(`git fetch ${secret}`), { 'deadline-ms': 300 })
    const id = /apr_\w+/.exec(asked.reason ?? '')?.[0] ?? ''
    await belay.rpc('approvals.deny', { ids: [id], note: `no ${secret}`, typed: id.slice(-4) })
  },
  'the names of a call': async (belay, secret) => {
    await belay.hook('SessionStart', { session_id: secret, source: 'startup' })
    await belay.hook('PreToolUse', { ...bash('git pull'), session_id: secret }, { 'deadline-ms': 300, actor: `agent:${secret}` })
    await belay.hook('PostToolUse', { ...bash('ls'), session_id: 's', tool_response: 'a' }, { 'agent-id': secret, 'event-id': secret })
  },
  'the spool': (belay, secret) => spool(belay, secret),
}

async function spool(belay: TestDaemon, secret: string): Promise<void> {
  const agent = findAgent('claude-code')
  if (agent === null) throw new Error('no such agent')
  const options = { agent, home: belay.home, etc: belay.home, env: belay.env, deadlineMs: 5000, redact: createBodyRedactor(belay.home) }
  const frame = (event: string, payload: object) =>
    JSON.stringify({
      agent: 'claude-code',
      event,
      'event-id': `${event} ${secret}`,
      'agent-id': secret,
      actor: `agent:${secret}`,
      payload: { session_id: secret, cwd: belay.project, ...payload },
    })
  await judgeAlone(frame('PreToolUse', bash(`rm ${secret}`)), options)
  await judgeAlone(frame('PostToolUse', { ...bash(`echo ${secret}`), tool_response: secret }), options)
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

test(`300 secrets (seed ${seed}) are in no file that was written, and in no export`, async () => {
  const belay = await runDaemon({ policy: POLICY })
  const secrets: string[] = []
  const found: string[] = []
  const look = (where: string): void => {
    for (const file of filesBelow(belay.home)) {
      const bytes = readFileSync(file)
      for (const secret of secrets) if (bytes.includes(secret)) found.push(`${where}: ${file.slice(belay.home.length)}`)
    }
  }
  const plants = Object.entries(PLANTS)
  const plantOne = async (n: number): Promise<void> => {
    const [, plant] = plants[n % plants.length] ?? []
    const secret = FORMATS[Math.floor(n / plants.length) % FORMATS.length]?.() ?? ''
    secrets.push(secret)
    await plant?.(belay, secret)
  }
  // Ten at once, each planted in another way: some of them wait for a person who does not come.
  for (let n = 0; n < 300; n += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, more) => plantOne(n + more)))
    if (n % 100 === 90) look(`after ${n + 10}`)
  }
  await belay.restart()
  look('after a restart')
  const store = await openSqliteStore({ file: join(belay.home, 'belay.db'), readOnly: true })
  let lines = ''
  for await (const entry of streamEntries(store, {})) lines += await encodeExportLine(store, entry)
  await store.close()
  const exported = await belay.rpc('commitments.export', { cwd: belay.project })
  for (const secret of secrets) if ((lines + JSON.stringify(exported)).includes(secret)) found.push('export')
  expect([found, (await belay.entries('proof')).length > 60]).toEqual([[], true])
  await belay.stop()
})
