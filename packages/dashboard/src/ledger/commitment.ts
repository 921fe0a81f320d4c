// A commitment, as the daemon tells it.
import type { PageApi } from '#page/api.ts'

export type Commitment = PageApi['commitments.list']['result']['commitments'][number]
