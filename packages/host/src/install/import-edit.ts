// Puts imported rules and hooks into the text of a policy; comments stay.

import { parseGenesis } from '@belay/core/policy'
import { isObject } from '@belay/core/value'
import { isMap, parseDocument } from 'yaml'
import { inheritedAllow } from '../config/allow-block.ts'
import { addRulesText, addRuleText } from '../config/genesis-edit.ts'
import type { Imported, ImportedHook } from './import-config.ts'

export type ImportEdit =
  | { readonly ok: true; readonly text: string; readonly rules: number; readonly hooks: number }
  | { readonly ok: false; readonly why: string }

export function addImported(text: string, { rules, hooks }: Imported): ImportEdit {
  const parsed = parseGenesis(text, 'genesis.key')
  const blocks = parsed.ok ? (parsed.policy.permissions?.actors ?? []) : []
  const actors = new Set(rules.map(({ actor }) => actor))
  const prepared = addRulesText(
    text,
    [...actors].flatMap(actor => inheritedAllow(blocks, actor)),
  )
  if (prepared.kind === 'refused') return { ok: false, why: prepared.why }
  let current = prepared.kind === 'added' ? prepared.text : text
  let added = 0
  for (const rule of rules) {
    const edited = addRuleText(current, rule)
    if (edited.kind === 'refused') return { ok: false, why: edited.why }
    if (edited.kind === 'present') continue
    current = edited.text
    added += 1
  }
  const withHooks = addHooks(current, hooks)
  return { ok: true, text: withHooks.text, rules: added, hooks: withHooks.added }
}

function addHooks(text: string, hooks: readonly ImportedHook[]): { readonly text: string; readonly added: number } {
  const document = parseDocument(text)
  const known = new Set(knownHooks(document.toJS()))
  const wanted = hooks.filter(({ event, value }) => !known.has(keyOf(event, value)))
  if (wanted.length === 0) return { text, added: 0 }
  if (!isMap(document.get('hooks', true))) document.set('hooks', document.createNode({}))
  for (const { event, value } of wanted) {
    if (document.getIn(['hooks', event]) == null) document.setIn(['hooks', event], document.createNode([]))
    document.addIn(['hooks', event], document.createNode(value))
  }
  return { text: document.toString({ lineWidth: 0, flowCollectionPadding: true }), added: wanted.length }
}

/** The same command at the same event for the same tools is the same hook. */
function knownHooks(policy: unknown): readonly string[] {
  const hooks = isObject(policy) && isObject(policy.hooks) ? policy.hooks : {}
  return Object.entries(hooks).flatMap(([event, list]) =>
    Array.isArray(list) ? list.filter(isObject).map(value => keyOf(event, value)) : [],
  )
}

function keyOf(event: string, value: Readonly<Record<string, unknown>>): string {
  const { command = null, args = null } = isObject(value.config) ? value.config : {}
  return JSON.stringify([event, value.matcher ?? '*', command, args])
}
