// The `record` of a pipeline that judges in this process: every event goes into the spool of this user, redacted and on disk before the call goes
// on, and the daemon takes it into the ledger exactly once, at once or when it is started.

import { randomBytes, randomUUID } from 'node:crypto'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AttributedEvidence, HookRun } from '../engine/fire-result.ts'
import type { GuardedCall } from '../engine/guard-call.ts'
import type { Gate } from '../engine/pipeline/gate.ts'
import { endOf } from '../event/table.ts'
import type { BuiltinPorts, HookRef } from '../handler/builtin/ports.ts'
import { type BegunCall, callKey, createBegunCalls } from '../handler/evidence/begun-calls.ts'
import { compareTexts } from '../handler/evidence/compare-texts.ts'
import { describeChange, type FileChange } from '../handler/evidence/describe-change.ts'
import { readFileImage } from '../handler/evidence/file-image.ts'
import { shellChanges } from '../handler/evidence/shell-changes.ts'
import { touchedFiles } from '../handler/evidence/touched-files.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import { receiptOf } from '../hook/receipt.ts'
import type { EntryDraft } from '../ledger/entry.ts'
import { createRedactor, type Json, type Redactor } from '../ledger/redact/redactor.ts'
import { errorText } from '../value/error-text.ts'
import { makeFolder } from './make-folder.ts'

export interface SpoolRecorderOptions {
  /** Default: $BELAY_HOME, else ~/.belay. */
  readonly home?: string
  /** AGENT_ID of this agent. */
  readonly agentId?: string
  /** `combinedHash(policies)`: which policy decided. */
  readonly policyHash?: string
}

export interface SpoolRecorder {
  (guarded: GuardedCall, gate?: Pick<Gate, 'recordsEvidence'>): Promise<void>
  /** For built-in hooks that record: evidence_capture with `ledger: true`, ledger_annotation. */
  readonly ports: Required<Pick<BuiltinPorts, 'evidence' | 'annotator'>>
}

/** `createToolPipeline({ policies, record: createSpoolRecorder() })` */
export function createSpoolRecorder(options: SpoolRecorderOptions = {}): SpoolRecorder {
  const home = options.home ?? process.env.BELAY_HOME ?? join(homedir(), '.belay')
  let redactor: Promise<Redactor> | null = null
  const spool = async (draft: EntryDraft): Promise<void> => {
    redactor ??= openRedactor(home)
    const { redactValue } = await redactor
    // What cannot be JSON would not be recorded either.
    const body = redactValue(JSON.parse(JSON.stringify(draft.body)) as Json)
    await writeSpooled(join(home, 'spool'), { eventId: randomUUID(), draft: { ...draft, body } }, Date.now())
  }
  const filesBefore = createFilesBefore()
  const record = async (guarded: GuardedCall, gate?: Pick<Gate, 'recordsEvidence'>): Promise<void> => {
    await spool(draftOf(guarded, options))
    if (gate?.recordsEvidence?.() !== false) await filesBefore.follow(guarded)
    for (const evidence of guarded.fired.evidence) {
      if (!evidence.isBuiltin && receiptOf([evidence]) === null) await spool(evidenceDraft(guarded, evidence, options))
    }
    for (const end of guarded.fired.background) void end.then(keepLate).catch(warnOfFailure)

    async function keepLate(run: HookRun): Promise<void> {
      await spool(lateDraft(guarded, run, options))
      if (run.evidence !== undefined) await spool(evidenceDraft(guarded, run.evidence, options))
    }
  }
  return Object.assign(record, { ports: spoolPorts(spool, filesBefore, options) })
}

/** Files as they are before a call, for its evidence; forgotten with its end, whether or not a hook has asked. */
function createFilesBefore() {
  const calls = createBegunCalls(() => performance.now())
  const ended = new Map<string, BegunCall['images']>()
  return {
    async follow({ verdict, fired: { event } }: GuardedCall): Promise<void> {
      if (event.name === 'PreToolUse' && verdict.decision !== 'deny') await calls.begin(event)
      if (endOf(event.name) !== 'tool') return
      calls.end(event)
      ended.delete(callKey(event))
    },
    /** Several hooks may ask about one call. */
    of(event: HookEvent): BegunCall['images'] {
      const images = ended.get(callKey(event)) ?? calls.end(event).images
      if (images.size > 0) ended.set(callKey(event), images)
      return images
    },
  }
}

type FilesBefore = ReturnType<typeof createFilesBefore>

function spoolPorts(
  spool: (draft: EntryDraft) => Promise<void>,
  filesBefore: FilesBefore,
  options: SpoolRecorderOptions,
): SpoolRecorder['ports'] {
  const keep = async (event: HookEvent, kind: string, more: object) => {
    await spool(besideDraft(event, options, kind, { commitment: event.commitment, ...more }))
    return { id: 'the spool' }
  }
  return {
    evidence: {
      async capture({ kind, event, hook }) {
        const files = await describeFiles(event, filesBefore.of(event))
        return keep(event, kind, { capturedBy: hookRecord(hook), ...callRecord(event), ...(files.length === 0 ? {} : { files }) })
      },
    },
    annotator: { annotate: ({ text, tags, event }) => keep(event, 'annotate', { text, tags, target: event.commitment }) },
  }
}

function hookRecord({ name, scope, place }: HookRef) {
  return { hook: name, scope, ...(place === null ? {} : { place: `${place.file}:${place.line}` }) }
}

function describeFiles(event: HookEvent, images: BegunCall['images']): Promise<readonly FileChange[]> {
  const named = touchedFiles(event)
  if (named.length === 0) return shellChanges(images, event.cwd, compareTexts)
  return Promise.all(
    named.map(async path => {
      const sides = { before: images.get(path), after: await readFileImage(path) }
      return describeChange(path, event.cwd, sides, compareTexts)
    }),
  )
}

/** What the call was, and what came of it. */
function callRecord({ fields }: HookEvent) {
  const { toolInput, toolResponse, error, durationMs } = fields
  return { input: toolInput, output: toolResponse, error, durationMs }
}

/** How a hook that went on after its event ended. */
function lateDraft(guarded: GuardedCall, run: HookRun, options: SpoolRecorderOptions): EntryDraft {
  return besideDraft(guarded.fired.event, options, 'hook_run', { hooks: [runOf(run)] })
}

/** What a hook handed over as evidence, under the kind it gave it. */
function evidenceDraft(guarded: GuardedCall, { kind, data, hook, scope }: AttributedEvidence, options: SpoolRecorderOptions): EntryDraft {
  const { event } = guarded.fired
  return besideDraft(event, options, kind, { capturedBy: { hook, scope }, commitment: event.commitment, data })
}

/** An entry beside that of the event. */
function besideDraft(event: HookEvent, { agentId, policyHash }: SpoolRecorderOptions, kind: string, more: object): EntryDraft {
  const { toolName, toolUseId } = event.fields
  const body = {
    event: event.name,
    agent: event.agent,
    agentId: agentId ?? `${event.agent}:${event.sessionId}`,
    cwd: event.cwd,
    root: event.cwd,
    tool: toolName,
    toolUseId,
    judged: 'in process',
    ...more,
  }
  return { actor: event.actor, session: event.sessionId, kind, policy: policyHash ?? null, body }
}

/** Nobody waits for it any more. */
function warnOfFailure(error: unknown): void {
  process.emitWarning(`Belay: how a hook ended could not be recorded: ${errorText(error)}`)
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
    stop: fired.stop ?? undefined,
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

function runOf({ hook, scope, handler, outcome, verdict, durationMs, error, detached }: HookRun) {
  const ended = detached ? { outcome: 'started' } : { outcome, ms: durationMs }
  return { hook, scope, handler, ...ended, verdict: verdict.decision, error }
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
