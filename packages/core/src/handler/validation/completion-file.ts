// completion.json of a project: what must be true before an agent is done. Read at each stop; what it lacks asks for nothing.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorText } from '../../value/error-text.ts'
import { isObject } from '../../value/is-object.ts'
import type { ValidationPlan } from '../builtin/ports.ts'

export type CompletionDemands = Pick<ValidationPlan, 'requiredFiles' | 'checks' | 'commitments' | 'maxIterations'>

export type ReadCompletion =
  | { readonly ok: true; readonly demands: CompletionDemands | null }
  | { readonly ok: false; readonly why: string }

const PLACES = ['.belay/completion.json', '.mentu/completion.json', '.claude/completion.json']

export function readCompletion(root: string): ReadCompletion {
  for (const place of PLACES) {
    try {
      return { ok: true, demands: demandsOf(JSON.parse(readFileSync(join(root, place), 'utf8'))) }
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) continue
      return { ok: false, why: `${place} cannot be read: ${errorText(error)}` }
    }
  }
  return { ok: true, demands: null }
}

function demandsOf(value: unknown): CompletionDemands {
  const contract = objectIn(value)
  const mentu = objectIn(contract.mentu)
  const wanted = objectIn(mentu.commitments)
  const checks = Object.entries(objectIn(contract.checks)).flatMap(([name, isWanted]) => (isWanted === true ? [name] : []))
  return {
    requiredFiles: Array.isArray(contract.required_files) ? contract.required_files.filter(file => typeof file === 'string') : [],
    checks,
    commitments:
      mentu.commitments === undefined || mentu.enabled === false
        ? null
        : {
            minCount: typeof wanted.min_count === 'number' ? wanted.min_count : 0,
            requireClosed: wanted.require_closed === true,
            requireEvidence: wanted.require_evidence === true,
          },
    maxIterations: typeof contract.max_iterations === 'number' ? contract.max_iterations : null,
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? { ...value } : {}
}
