// Patches that lie in a file: what they write is read from there.

import type { PatchFile, ShellAnalysis } from '../match/shell/shell-analysis.ts'
import { patchTargets } from '../match/tool/patch-paths.ts'
import { type JudgeInput, judged, resolveAt } from './judge-part.ts'
import { judgeFile } from './judge-path.ts'
import type { PartJudgement } from './judgement.ts'

export function judgePatches(input: JudgeInput, analysis: ShellAnalysis): PartJudgement[] {
  return (analysis.patches ?? []).flatMap(patch => judgePatch(input, patch, analysis))
}

function judgePatch(input: JudgeInput, patch: PatchFile, analysis: ShellAnalysis): PartJudgement[] {
  const { file, base, span } = patch
  const unknown = (source: string): PartJudgement[] => {
    const reason = 'which files the patch changes is known only when it is applied'
    return [judged({ what: 'effect', source, normal: source, span }, { decision: 'ask', reason })]
  }
  if (file === null) return unknown('the patch')
  const isPlaced = file.value !== null && !file.glob && (base !== null || file.value.startsWith('/'))
  if (!isPlaced) return unknown(file.source)
  const { files } = input.context
  const path = resolveAt(input, file.value ?? '', base ?? '/')
  const isWritten = analysis.effects.some(effect => effect.access === 'write' && effect.path.value === file.value)
  const text = isWritten ? null : files.text(path.real ?? path.lexical)
  // Where nobody knows the disk, only what the line itself writes is suspect.
  if (text === null) return isWritten || (files.linkCount(path.lexical) > 0 && files.names('/') !== null) ? unknown(file.source) : []
  return patchTargets(text).map(target => {
    const part = { what: 'effect', source: target, span } as const
    return judgeFile(input, { tool: 'Write', access: 'write', path: target, base: base ?? '/', needsAllow: false, part })
  })
}
