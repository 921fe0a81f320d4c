// The evidence_capture and ledger_annotation hooks, on the ledger. Resolves when the entry is on disk.
// Invariant: of one finished call there is one entry of each kind, however many hooks ask for it and however often it is delivered.
import type { Annotation, Annotator, BegunCall, BegunCalls, CapturedEvidence, Delivery, EvidenceSink } from '@belay/core'
import { type EntryDraft, sha256Hex } from '@belay/core/ledger'
import { captureEvidence } from './capture-evidence.ts'

export interface EvidenceOptions {
  readonly calls: BegunCalls
  /** Resolves when it is as durable as this host can make it. */
  append(draft: EntryDraft, options: { readonly eventId?: string }): Promise<{ readonly id: string }>
  /** Told of every entry that belongs to a commitment. */
  onEvidence(commitment: string): void
}

interface OneCall {
  readonly begun: BegunCall
  readonly byKind: Map<string, Promise<{ readonly id: string }>>
}

export function createEvidenceSink({ calls, append, onEvidence }: EvidenceOptions): EvidenceSink {
  const ended = new WeakMap<Delivery, OneCall>()

  async function record(evidence: CapturedEvidence, call: OneCall): Promise<{ readonly id: string }> {
    const { kind, event } = evidence
    const draft = await captureEvidence(evidence, call.begun)
    const { id } = await append(draft, deliveredOnce(event.delivery, kind))
    if (event.commitment !== null) onEvidence(event.commitment)
    return { id }
  }

  return {
    capture(evidence) {
      const { kind, event } = evidence
      const known = event.delivery === undefined ? undefined : ended.get(event.delivery)
      const call = known ?? { begun: calls.end(event), byKind: new Map() }
      if (event.delivery !== undefined) ended.set(event.delivery, call)
      const recorded = call.byKind.get(kind) ?? record(evidence, call)
      call.byKind.set(kind, recorded)
      return recorded
    },
  }
}

export function createAnnotator({ append }: Pick<EvidenceOptions, 'append'>): Annotator {
  return {
    async annotate({ text, tags, event }: Annotation) {
      const { toolName, toolUseId } = event.fields
      const { id } = await append(
        {
          actor: event.actor,
          session: event.sessionId,
          kind: 'annotate',
          policy: event.delivery?.policyHash ?? null,
          body: {
            text,
            tags,
            target: event.commitment,
            commitment: event.commitment,
            event: event.name,
            tool: toolName ?? null,
            toolUseId: toolUseId ?? null,
          },
        },
        deliveredOnce(event.delivery, `annotate ${sha256Hex(text)}`),
      )
      return { id }
    },
  }
}

export function deliveredOnce(delivery: Delivery | undefined, what: string): { readonly eventId?: string } {
  const eventId = delivery?.eventId ?? null
  return eventId === null ? {} : { eventId: `${eventId} ${what}` }
}
