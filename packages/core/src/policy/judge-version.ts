// Which judge decided; each record says so. Two records of one version were judged by the same code, so a difference between them is one of
// the policy, the call or the disk. The build puts in a hash over the sources that judge; from the sources nobody knows it.

declare const BELAY_JUDGE_BUILD: string | undefined

export const JUDGE_VERSION: string = typeof BELAY_JUDGE_BUILD === 'string' ? `0.1.0+${BELAY_JUDGE_BUILD}` : '0.1.0'
