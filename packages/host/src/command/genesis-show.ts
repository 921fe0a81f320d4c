// `belay genesis show`: the policy in force here, and with --actor the rules that hold for one actor, each with its file and line.
import { effectivePermissions, type GenesisPolicy, listPolicyHooks, type Permissions, type Rule } from '@belay/core/policy'
import type { LoadedPolicies, PolicyFile } from '../config/genesis.ts'
import { type HookRow, hookRows } from '../guard/hook-row.ts'
import { printDiagnostics, toJson } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, printJson, printLine } from '../terminal/io.ts'
import { paint, paintDecision } from '../terminal/style.ts'
import { columns } from '../terminal/table.ts'
import { describeHook } from './describe-hook.ts'
import { loadForCommand } from './policies.ts'

export interface ShowOptions {
  readonly actor?: string
  readonly json?: boolean
}

export function runGenesisShow(options: ShowOptions, io: CommandIo): ExitCode {
  const loaded = loadForCommand(io)
  const permissions = options.actor === undefined ? null : effectivePermissions(loaded.policies, options.actor)
  if (options.json === true) printJson(io, describeJson(loaded, permissions, options.actor))
  else printPolicy(io, loaded, permissions, options.actor)
  return loaded.files.length === 0 || loaded.locked !== null ? 1 : 0
}

function describeJson(loaded: LoadedPolicies, permissions: Permissions | null, actor: string | undefined): unknown {
  return {
    root: loaded.root,
    files: loaded.files.map(({ path, owner, policy, errors }) => ({
      file: path,
      owner,
      ok: errors.length === 0,
      version: policy?.version ?? null,
      hash: policy?.hash ?? null,
      trusted: policy?.trusted ?? null,
      default: policy?.permissions?.default ?? null,
      actors: policy?.permissions?.actors.map(block => ({
        actor: block.actor,
        allow: block.allow.map(ruleJson),
        ask: block.ask.map(ruleJson),
        deny: block.deny.map(ruleJson),
      })),
      guards: policy?.guards.map(guard => guard.id),
      guardrails: policy?.guardrails.map(guardrail => guardrail.name),
      errors: errors.map(toJson),
    })),
    hooks: hookRows(listPolicyHooks(loaded.policies)),
    ...(permissions === null ? {} : { actor, permissions: permissionsJson(permissions) }),
  }
}

function permissionsJson(permissions: Permissions): unknown {
  const { allow, ask, deny, hash } = permissions
  return { default: permissions.default, hash, allow: allow.map(ruleJson), ask: ask.map(ruleJson), deny: deny.map(ruleJson) }
}

function ruleJson({ id, text, message, place }: Rule): unknown {
  return { id, rule: text, ...(message === undefined ? {} : { message }), ...place }
}

function printPolicy(io: CommandIo, loaded: LoadedPolicies, permissions: Permissions | null, actor: string | undefined): void {
  if (loaded.files.length === 0) {
    printLine(io.stdout, `No policy holds in ${loaded.root}: Belay only watches. Write one with \`belay genesis init\`.`)
    return
  }
  for (const file of loaded.files) printFile(io, file)
  const hooks = hookRows(listPolicyHooks(loaded.policies))
  printHooks(io, hooks)
  if (permissions === null) for (const policy of loaded.policies) printActors(io, policy)
  else printPermissions(io, permissions, actor ?? '')
}

function printFile(io: CommandIo, { path, owner, policy, errors }: PolicyFile): void {
  const state =
    policy === null
      ? 'broken, never was good: gating events are denied'
      : errors.length > 0
        ? 'broken: its last good version holds'
        : 'in force'
  const trust = policy?.trusted === false ? ', not trusted: only deny and ask hold' : ''
  printLine(io.stdout, `${paint(io, 'bold', path)} (${owner}) ${state}${trust}${policy === null ? '' : `  ${policy.hash.slice(0, 12)}`}`)
  printDiagnostics(io, errors)
}

function printHooks(io: CommandIo, hooks: readonly HookRow[]): void {
  if (hooks.length === 0) return
  printLine(io.stdout, `\n${paint(io, 'bold', 'Hooks')}`)
  printLine(io.stdout, columns(io, hooks.map(describeHook), '  '))
}

function printActors(io: CommandIo, { permissions, file }: GenesisPolicy): void {
  if (permissions === null) return
  printLine(io.stdout, `\n${paint(io, 'bold', 'Permissions')} of ${file} (no rule matched: ${permissions.default})`)
  for (const block of permissions.actors) {
    printLine(io.stdout, `  ${block.actor}`)
    printRules(io, [...block.deny, ...block.ask, ...block.allow])
  }
}

function printPermissions(io: CommandIo, permissions: Permissions, actor: string): void {
  printLine(io.stdout, `\n${paint(io, 'bold', 'Permissions')} of ${actor} (no rule matched: ${permissions.default})`)
  printRules(io, [...permissions.deny, ...permissions.ask, ...permissions.allow])
}

function printRules(io: CommandIo, rules: readonly Rule[]): void {
  for (const { effect, text, place, message } of rules) {
    const where = place === undefined ? '' : paint(io, 'dim', `  ${place.file}:${place.line}`)
    printLine(io.stdout, `    ${paintDecision(io, effect)}${' '.repeat(6 - effect.length)}${text}${where}`)
    if (message !== undefined) printLine(io.stdout, paint(io, 'dim', `          "${message}"`))
  }
}
