// Evidence, approvals and commitments of one daemon, on its ledger: what `decide` and the built-in hooks ask of them.
import type { BuiltinPorts } from '@belay/core'
import { createBeforeImages } from '../evidence/before-images.ts'
import { createAnnotator, createEvidenceSink } from '../evidence/evidence-port.ts'
import type { Ledger } from '../ledger/open-ledger.ts'
import type { Accounts } from './decide.ts'

export interface AccountabilityOptions {
  readonly ledger: Ledger
}

export interface Accountability {
  readonly accounts: Accounts
  readonly ports: Pick<BuiltinPorts, 'evidence' | 'annotator'>
}

export function createAccountability({ ledger }: AccountabilityOptions): Accountability {
  const images = createBeforeImages()
  const { append } = ledger
  return {
    accounts: {
      async expectEvidence(event, guard) {
        const isRequired = await guard.requiresEvidence(event)
        if (isRequired) await images.keep(event)
        return isRequired
      },
      answerAsk: ({ guarded }) => Promise.resolve(guarded.verdict),
    },
    ports: {
      evidence: createEvidenceSink({ images, append, onEvidence: () => undefined }),
      annotator: createAnnotator({ append }),
    },
  }
}
