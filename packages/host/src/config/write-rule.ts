// Adds one rule to a policy file: whole or not at all, nothing else in it disturbed, and as trusted as the file was.
import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Diagnostic, parseGenesis, parseRule } from '@belay/core/policy'
import { makeFolder } from '../disk/make-folder.ts'
import { allowBlockOf, inheritedAllow } from './allow-block.ts'
import { genesisChecks } from './genesis-checks.ts'
import { addRulesText, EMPTY_POLICY, type NewRule } from './genesis-edit.ts'
import { readPolicyText } from './genesis-text.ts'
import { addTrust, keepsTrust, readTrust, trustedVersion } from './trust.ts'

export interface RuleTarget {
  readonly file: string
  /** A project's policy needs trust. */
  readonly isProject: boolean
  /** The file that keeps what is trusted. */
  readonly trust: string
}

/** `actor`: whom it holds for; that of a glob where the actor takes its allow list from one. */
export type WrittenRule =
  | {
      readonly kind: 'added'
      readonly actor: string
      readonly before: string
      readonly after: string
      readonly isTrusted: boolean
      /** What this rule brought: a name that nobody has, say. */
      readonly warnings: readonly Diagnostic[]
    }
  | { readonly kind: 'present'; readonly actor: string }
  | { readonly kind: 'refused'; readonly why: string; readonly remedy?: string; readonly errors: readonly Diagnostic[] }

export function writeRule(target: RuleTarget, rule: NewRule): WrittenRule {
  const { file, isProject, trust } = target
  const parsed = parseRule(rule.pattern, { effect: rule.effect, dialect: 'genesis' })
  if (!parsed.ok) return refused(`the pattern ${JSON.stringify(rule.pattern)}: ${parsed.problem.message}`, parsed.problem.remedy)
  const read = readPolicyText(file)
  if (read.kind === 'unreadable') return refused(`${file}: ${read.problem.message}`, read.problem.remedy)
  const before = read.kind === 'text' ? read.text : null
  const old = before === null ? null : parseGenesis(before, file, genesisChecks)
  if (old?.ok === false) return refused(`${file} is broken: fix it first`, undefined, old.errors)
  const blocks = old?.policy.permissions?.actors ?? []
  const actor = rule.effect === 'allow' ? allowBlockOf(blocks, rule.actor) : rule.actor
  const kept = rule.effect === 'allow' ? [] : inheritedAllow(blocks, actor)
  const edited = addRulesText(before ?? EMPTY_POLICY, [...kept, { ...rule, actor }])
  if (edited.kind === 'present') return { kind: 'present', actor }
  if (edited.kind === 'refused') return refused(`${file}: the rule cannot be added: ${edited.why}`, 'add it by hand')
  const result = parseGenesis(edited.text, file, genesisChecks)
  if (!result.ok) return refused(`${file}: the rule cannot be added here`, 'add it by hand')
  const store = readTrust(trust)
  if (before === null && trustedVersion(store, file) !== null)
    return refused(`${file} was removed, and what was trusted of it still holds`, 'put it back with `belay policy trust --restore` first')
  const wasTrusted = keepsTrust(store, file, old?.policy.hash ?? null) || (!isProject && trustedVersion(store, file) === null)
  replaceFile(file, edited.text)
  if (wasTrusted) addTrust(trust, file, result.policy.hash)
  const said = messagesOf(rule, file)
  const warnings = result.warnings.filter(
    ({ message }) => said.includes(message) || old?.warnings.some(each => each.message === message) !== true,
  )
  return { kind: 'added', actor, before: before ?? '', after: edited.text, isTrusted: wasTrusted, warnings }
}

/** What there is to say of this rule, also where the same was said of another one before. */
function messagesOf(rule: NewRule, file: string): readonly string[] {
  const alone = addRulesText(EMPTY_POLICY, [rule])
  return alone.kind === 'added' ? parseGenesis(alone.text, file, genesisChecks).warnings.map(({ message }) => message) : []
}

function refused(why: string, remedy?: string, errors: readonly Diagnostic[] = []): WrittenRule {
  return { kind: 'refused', why, errors, ...(remedy === undefined ? {} : { remedy }) }
}

/** Through links, to the file itself. */
export function replaceFile(file: string, text: string): void {
  makeFolder(dirname(file))
  const target = existsSync(file) ? realpathSync(file) : file
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644
  const draft = `${target}.${randomUUID()}`
  writeFileSync(draft, text, { mode })
  renameSync(draft, target)
}
