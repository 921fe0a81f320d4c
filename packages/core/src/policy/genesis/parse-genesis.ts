// genesis.key text -> policy. Every error is listed with its place; one error refuses the whole policy, so that a slip never opens a gate.
import { createHash } from 'node:crypto'
import type { Place } from '../../verdict/place.ts'
import type { Rule } from '../rule.ts'
import { checkNames, type KnownNames } from './check-names.ts'
import { DATA_SECTIONS, type DataSection, type GenesisParse, type GenesisPolicy, HOOK_SOURCES, type HookSource } from './genesis-policy.ts'
import { type CheckGuardrail, readGuardrails, readGuards } from './read-guards.ts'
import type { CheckBuiltin } from './read-handler.ts'
import { readHooks } from './read-hooks.ts'
import { readPermissions } from './read-permissions.ts'
import { readTools } from './read-tools.ts'
import { suggest, suggestRemedy } from './suggest.ts'
import { type Fields, isMapNode, isNothing, readChoice, readData, readFields, readItems, readRecord } from './yaml-read.ts'
import { describeNode, type Node, openYaml, report, warn, type YamlSource } from './yaml-source.ts'

export const SECTIONS = ['version', 'hooks', 'hooks_from', 'permissions', 'guards', 'guardrails', 'tools', ...DATA_SECTIONS]

export interface GenesisChecks {
  readonly checkBuiltin?: CheckBuiltin
  readonly checkGuardrail?: CheckGuardrail
  /** Names that rules and matchers may have; without them none is doubted. */
  readonly names?: KnownNames
}

export function parseGenesis(text: string, file: string, checks: GenesisChecks = {}): GenesisParse {
  const source = openYaml(text, file)
  const ofYaml = source.problems.length
  const policy = readPolicy(source, createHash('sha256').update(text).digest('hex'), checks)
  if (policy !== null && checks.names !== undefined) checkNames(source, policy, checks.names)
  // What the policy says below a line that is no YAML is not what its author wrote.
  const meant = source.problems.filter(({ place }, index) => index < ofYaml || source.brokenFrom === null || place.line < source.brokenFrom)
  const sorted = meant.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
  const errors = sorted.filter(problem => problem.severity === 'error')
  const warnings = sorted.filter(problem => problem.severity !== 'error')
  return errors.length > 0 || policy === null ? { ok: false, errors, warnings } : { ok: true, policy, warnings }
}

function readPolicy(source: YamlSource, hash: string, checks: GenesisChecks): GenesisPolicy | null {
  const root = source.document.contents
  if (isNothing(root)) {
    const isExplained = source.problems.some(problem => problem.severity === 'error')
    return isExplained ? null : report(source, root, 'the file is empty', 'write version: "2.0" and what the policy should say')
  }
  if (!isMapNode(source, root))
    return report(source, root, `a policy must be a mapping, found ${describeNode(root)}`, 'begin with version: "2.0"')
  const fields = readFields(source, root, 'the policy')
  if (fields === null) return null
  const version = readVersion(source, fields)
  reportUnknownSections(source, fields, version)
  const permissions = fields.has('permissions') ? readPermissions(source, fields.get('permissions')?.value, version) : null
  reportDuplicateIds(source, permissions?.permissions.actors.flatMap(block => [...block.allow, ...block.ask, ...block.deny]) ?? [])
  return {
    file: source.file,
    version,
    hash,
    trusted: true,
    hooksFrom: readHooksFrom(source, fields.get('hooks_from')?.value),
    hooks: readHooks(source, fields.get('hooks')?.value, checks.checkBuiltin ?? null),
    permissions: permissions?.permissions ?? null,
    operations: permissions?.operations ?? [],
    guards: readGuards(source, fields.get('guards')?.value),
    guardrails: readGuardrails(source, fields.get('guardrails')?.value, checks.checkGuardrail ?? null),
    tools: readTools(source, fields.get('tools')?.value),
    sections: readSections(source, fields),
  }
}

/** `version`, or `genesis.version` as 1.0 files have it; without either the content tells. */
function readVersion(source: YamlSource, fields: Fields): '1.0' | '2.0' {
  const genesis = fields.get('genesis')
  const inner = genesis !== undefined && isMapNode(source, genesis.value) ? readFields(source, genesis.value, '`genesis`') : null
  const field = fields.get('version') ?? inner?.get('version')
  if (field === undefined) return guessVersion(source, fields)
  const given = String(readData(source, field.value, '`version`'))
  if (given === '2.0' || given === '2') return '2.0'
  if (given === '1.0' || given === '1') return '1.0'
  report(source, field.value, `\`version\` is ${describeNode(field.value)}, expected "2.0" or "1.0"`, 'write version: "2.0"')
  return '2.0'
}

function guessVersion(source: YamlSource, fields: Fields): '1.0' | '2.0' {
  const permissions = fields.get('permissions')
  const inner =
    permissions !== undefined && isMapNode(source, permissions.value) ? readFields(source, permissions.value, '`permissions`') : null
  const isOld = !fields.has('hooks') && (inner === null || (!inner.has('actors') && !inner.has('default')))
  if (!isOld) warn(source, source.document.contents, 'the policy has no `version`; it is read as 2.0', 'begin the file with version: "2.0"')
  return isOld ? '1.0' : '2.0'
}

/** An unknown section of a 2.0 file is an error; 1.0 files may carry sections of their own, unless one looks like a slip. */
function reportUnknownSections(source: YamlSource, fields: Fields, version: '1.0' | '2.0'): void {
  for (const field of fields.values()) {
    if (SECTIONS.includes(field.key) || field.key === '<<') continue
    if (version === '2.0' || suggest(field.key, SECTIONS) !== null) {
      report(source, field.keyNode, `a policy has no section \`${field.key}\``, suggestRemedy(field.key, SECTIONS))
    } else {
      warn(
        source,
        field.keyNode,
        `the section \`${field.key}\` is not known and has no effect`,
        'remove it, or give it the name of a section',
      )
    }
  }
}

function readHooksFrom(source: YamlSource, node: Node): readonly HookSource[] | null {
  if (isNothing(node)) return null
  const items = readItems(source, node, '`hooks_from`')
  const sources = items?.map(item => readChoice(source, item, 'a source of `hooks_from`', HOOK_SOURCES)) ?? []
  return sources.filter(each => each !== null)
}

function readSections(source: YamlSource, fields: Fields): GenesisPolicy['sections'] {
  const sections: Partial<Record<DataSection, Readonly<Record<string, unknown>>>> = {}
  for (const name of DATA_SECTIONS) {
    const field = fields.get(name)
    if (field === undefined) continue
    sections[name] = isNothing(field.value) ? {} : (readRecord(source, field.value, `\`${name}\``) ?? {})
  }
  return sections
}

function reportDuplicateIds(source: YamlSource, rules: readonly Rule[]): void {
  const first = new Map<string, Rule>()
  for (const rule of rules) {
    const other = first.get(rule.id)
    if (other === undefined) first.set(rule.id, rule)
    else if (rule.place !== undefined && !isSamePlace(rule.place, other.place)) {
      const message = `the id \`${rule.id}\` is already that of ${JSON.stringify(other.text)} in line ${other.place?.line ?? '?'}`
      source.problems.push({ severity: 'error', message, place: rule.place, remedy: 'give each rule an id of its own' })
    }
  }
}

/** An alias brings the same rule to several actors. */
function isSamePlace(a: Place, b: Place | undefined): boolean {
  return a.line === b?.line && a.column === b.column
}
