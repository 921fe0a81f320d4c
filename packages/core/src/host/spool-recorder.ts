// The `record` of a pipeline that judges in this process: every event goes into the spool of this user, redacted and on disk before the call goes
// on, and the daemon takes it into the ledger exactly once, at once or when it is started.
import { randomBytes, randomUUID } from 'node:crypto'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { HookRun } from '../engine/fire-result.ts'
import type { GuardedCall } from '../engine/guard-call.ts'
import type { EntryDraft } from '../ledger/entry.ts'
import { createRedactor, type Json, type Redactor } from '../ledger/redact/redactor.ts'
import { makeFolder } from './make-folder.ts'

export interface SpoolRecorderOptions {
  /** Default: $BELAY_HOME, else ~/.belay. */
  readonly home?: string
  /** AGENT_ID of this agent. */
  readonly agentId?: string
  /** `combinedHash(policies)`: which policy decided. */
  readonly policyHash?: string
}

/** `createToolPipeline({ policies, record: createSpoolRecorder() })` */
export function createSpoolRecorder(options: SpoolRecorderOptions = {}): (guarded: GuardedCall) => Promise<void> {
  const home = options.home ?? process.env.BELAY_HOME ?? join(homedir(), '.belay')
  let redactor: Promise<Redactor> | null = null
  return async guarded => {
    redactor ??= openRedactor(home)
    const draft = draftOf(guarded, options)
    // What cannot be JSON would not be recorded either.
    const body = (await redactor).redactValue(JSON.parse(JSON.stringify(draft.body)) as Json)
    await writeSpooled(join(home, 'spool'), { eventId: randomUUID(), draft: { ...draft, body } }, Date.now())
  }
}

function draftOf({ verdict, judgement, fired }: GuardedCall, { agentId, policyHash }: SpoolRecorderOptions): EntryDraft {
  const { event, report } = fired
  const { toolName, toolInput, toolUseId, ...fields } = event.fields
  const body = {
    event: event.name,
    agent: event.agent,
    agentId: agentId ?? `${event.agent}:${event.sessionId}`,
    cwd: event.cwd,
    root: event.cwd,
    commitment: event.commitment,
    tool: toolName,
    toolUseId,
    input: toolInput,
    fields: Object.keys(fields).length === 0 ? undefined : fields,
    verdict: verdict.decision,
    reason: verdict.decision === 'none' ? undefined : verdict.reason,
    rule: judgement?.rule === null || judgement === null ? undefined : { id: judgement.rule.id, text: judgement.rule.text },
    hooks: report.runs.map(runOf),
    rewrites:
      fired.rewrites.length === 0
        ? undefined
        : fired.rewrites.map(({ hook, target, beforeHash, afterHash }) => ({ hook, target, beforeHash, afterHash })),
    context: fired.context.length === 0 ? undefined : fired.context,
    evidence: fired.evidence.length === 0 ? undefined : fired.evidence,
    judged: 'in process',
  }
  return {
    actor: event.actor,
    session: event.sessionId,
    kind: kindOf(event.name),
    policy: policyHash ?? judgement?.policyHash ?? null,
    body,
  }
}

function runOf({ hook, scope, handler, outcome, verdict, durationMs, error }: HookRun) {
  return { hook, scope, handler, outcome, verdict: verdict.decision, ms: durationMs, error }
}

/** `PreToolUse` -> `pre_tool_use`. */
function kindOf(event: string): string {
  return event.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
}

/** One file each, written whole or not at all; names sort by time. */
async function writeSpooled(folder: string, event: { readonly eventId: string; readonly draft: object }, nowMs: number): Promise<void> {
  await makeFolder(folder)
  const name = `${String(Math.floor(nowMs)).padStart(15, '0')}-${randomUUID()}.json`
  const file = await open(join(folder, `.${name}`), 'wx', 0o600)
  try {
    await file.writeFile(JSON.stringify(event))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(join(folder, `.${name}`), join(folder, name))
}

const KEY_BYTES = 32

/** Under the key of this machine, as the daemon's own records: whoever comes first makes it. */
async function openRedactor(home: string): Promise<Redactor> {
  const folder = join(home, 'keys')
  const file = join(folder, 'redaction.key')
  await makeFolder(folder)
  try {
    await writeFile(file, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return createRedactor({ key: await readFile(file) })
}
