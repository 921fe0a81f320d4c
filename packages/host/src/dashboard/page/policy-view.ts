// page.policy: what is in force in a project, file by file, hook by hook, rule by rule, and what it did lately.
import type { ActorBlock, GenesisPolicy, Rule } from '@belay/core/policy'
import type { LoadedPolicies, PolicyFile, PolicyOwner } from '../../config/genesis.ts'
import { readPolicyText } from '../../config/genesis-text.ts'
import type { HookFile } from '../../config/hook-file.ts'
import { hashOf } from '../../config/trust.ts'
import type { PolicyFileView, PolicyView, RuleView } from '../../page/policy.ts'
import { findShadows, type PlacedRule } from '../../policy/find-shadow.ts'
import { BUDGET_MS } from '../../statistic/budget.ts'
import { placedRule } from '../../statistic/tally.ts'
import { lintOf } from './draft-policy.ts'
import { changeView, lastGoodAt } from './frame.ts'
import { listHooks } from './hook-view.ts'
import type { PageParts } from './page-parts.ts'

export async function readPolicy(parts: PageParts, root: string): Promise<PolicyView> {
  const { loaded, sources, guard } = parts.guards.get(root)
  const countedDays = await parts.tally.seed()
  return {
    root: loaded.root,
    hash: guard.policyHash,
    locked: loaded.locked === null ? null : `${loaded.locked.place.file}:${loaded.locked.place.line}: ${loaded.locked.message}`,
    files: loaded.files.map(file => fileView(parts.home, file)),
    hookFiles: sources.hookFiles.map(hookFileView),
    changes: sources.changes.map(changeView),
    hooks: await listHooks(parts, { sources, guard }),
    rules: listRules(parts, loaded),
    budgetMs: BUDGET_MS,
    countedDays: Math.round(countedDays * 10) / 10,
  }
}

const OWNERS: Readonly<Record<PolicyOwner, PolicyFileView['owner']>> = {
  team: 'team',
  system: 'machine',
  user: 'user',
  project: 'project',
}

function fileView(home: string, file: PolicyFile): PolicyFileView {
  const { path, owner, policy, unaccepted, change, errors, warnings } = file
  const read = readPolicyText(path)
  return {
    file: path,
    owner: OWNERS[owner],
    isOk: errors.length === 0,
    lastGoodAt: errors.length === 0 ? null : lastGoodAt(home, file),
    isTrusted: change === null && policy?.trusted === true,
    hash: change?.kind === 'removed' ? null : ((unaccepted ?? policy)?.hash ?? null),
    text: read.kind === 'text' ? read.text : '',
    lint: [...errors, ...warnings].map(lintOf),
  }
}

function hookFileView({ path, owner, errors, warnings, change, isTrusted }: HookFile): PolicyFileView {
  const read = readPolicyText(path)
  const text = read.kind === 'text' ? read.text : ''
  return {
    file: path,
    owner,
    isOk: errors.length === 0,
    lastGoodAt: errors.length === 0 ? null : (change?.trustedAt ?? null),
    isTrusted,
    hash: read.kind === 'text' ? hashOf(text) : null,
    text,
    lint: [...errors, ...warnings].map(lintOf),
  }
}

function listRules({ tally, now }: PageParts, { root, policies }: LoadedPolicies): readonly RuleView[] {
  const placed = placedRules(policies)
  const files = new Map<string, Set<string>>()
  for (const { rule } of placed) files.set(rule.id, (files.get(rule.id) ?? new Set()).add(rule.place?.file ?? ''))
  const shadows = findShadows(placed)
  return placed.map(({ rule, actor, inert }, index) => {
    const place = placeOf(rule)
    // An id may stand in several files; then only what a rule decided can be told to be its own.
    const name = (files.get(rule.id)?.size ?? 0) > 1 ? placedRule(rule.id, place) : rule.id
    const { hits, lastAt } = tally.rules.of(root, name, now())
    const shadow = shadows[index] ?? null
    return {
      id: rule.id,
      effect: rule.effect,
      text: rule.text,
      actor,
      message: rule.message ?? null,
      place,
      hits,
      lastHitAt: lastAt === null ? null : new Date(lastAt).toISOString(),
      shadowedBy: shadow === null ? null : describe(shadow),
      inert,
    }
  })
}

/** Of a file that was changed the last trusted version comes first; of the new text only what that does not say. */
function placedRules(policies: LoadedPolicies['policies']): readonly PlacedRule[] {
  const said = new Map<string, ReadonlySet<string>>()
  return policies.flatMap(policy => {
    const before = said.get(policy.file) ?? new Set()
    const rules = (policy.permissions?.actors ?? []).flatMap(block => rulesOf(policy, block)).filter(rule => !before.has(nameOf(rule)))
    said.set(policy.file, new Set([...before, ...rules.map(nameOf)]))
    return rules
  })
}

function nameOf({ actor, rule: { effect, text, message } }: PlacedRule): string {
  return JSON.stringify([actor, effect, text, message])
}

function rulesOf(policy: GenesisPolicy, { actor, deny, ask, allow }: ActorBlock): readonly PlacedRule[] {
  const inert = policy.trusted
    ? policy.isUnderTeam === true
      ? `the team's policy holds on this machine: what ${policy.file} allows does not`
      : null
    : `${policy.file} is not trusted: its allow rules do not hold until \`belay policy trust\``
  return [...[...deny, ...ask].map(rule => ({ rule, actor, inert: null })), ...allow.map(rule => ({ rule, actor, inert }))]
}

function describe({ rule, actor }: PlacedRule): string {
  const place = placeOf(rule)
  return `${rule.effect} ${rule.text} for ${actor}${place === null ? '' : ` (${place})`}`
}

/** As records have it. */
function placeOf({ place }: Rule): string | null {
  return place === undefined ? null : `${place.file}:${place.line}`
}
