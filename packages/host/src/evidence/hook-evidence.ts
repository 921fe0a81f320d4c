// Evidence that a hook hands over with its answer: an entry of its own under the kind the hook gave it, attributed to the hook, before the answer.
// What built-in hooks carry along is their own affair: evidence_capture writes its entry itself, and a receipt is for whoever asked.
import { type GuardedCall, receiptOf } from '@belay/core'
import { draftEvidence } from './draft-evidence.ts'
import { deliveredOnce, type EvidenceOptions } from './evidence-port.ts'

type HandedOver = GuardedCall['fired']['evidence'][number]

/** Null: there is none, and nobody has to wait. */
export function keepHookEvidence(
  { event, evidence: given }: Pick<GuardedCall['fired'], 'event' | 'evidence'>,
  { append, onEvidence }: Pick<EvidenceOptions, 'append' | 'onEvidence'>,
): Promise<void> | null {
  const handed = given.filter(each => !each.isBuiltin && receiptOf([each]) === null)
  if (handed.length === 0) return null
  const keep = async (evidence: HandedOver): Promise<void> => {
    await append(
      draftEvidence(event, evidence.kind, evidence, { data: evidence.data }),
      deliveredOnce(event.delivery, `evidence ${evidence.hook} ${evidence.kind}`),
    )
    if (event.commitment !== null) onEvidence(event.commitment)
  }
  return Promise.all(handed.map(keep)).then(() => undefined)
}
