// `belay allow|ask|deny PATTERN`: adds a rule to the policy of the project or of the user, and shows the lines that change.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseGenesis, parseRule } from '@belay/core/policy'
import { genesisChecks } from '../config/genesis-checks.ts'
import { addRuleText, EMPTY_POLICY, type NewRule } from '../config/genesis-edit.ts'
import { readPolicyText } from '../config/genesis-text.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProject, findProjectPolicy, newProjectPolicy } from '../config/project.ts'
import { addTrust, isTrusted, readTrust } from '../config/trust.ts'
import { printDiagnostics } from './diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from './io.ts'
import { paint } from './style.ts'

export interface AddRuleOptions {
  readonly effect: 'allow' | 'ask' | 'deny'
  readonly pattern: string
  readonly actor?: string
  readonly project?: boolean
  readonly user?: boolean
  readonly json?: boolean
}

export function runAddRule(options: AddRuleOptions, io: CommandIo): ExitCode {
  const rule: NewRule = { effect: options.effect, pattern: options.pattern, actor: options.actor ?? 'agent:*' }
  const parsed = parseRule(rule.pattern, { effect: rule.effect, dialect: 'genesis' })
  if (!parsed.ok) return fail(io, `the pattern ${JSON.stringify(rule.pattern)}: ${parsed.problem.message}`, parsed.problem.remedy)
  const home = findHome(io.env)
  const target = chooseFile(options, findProject(io.cwd, home).root, homePaths(home).policy)
  const before = readPolicyText(target.file)
  if (before.kind === 'unreadable') return fail(io, `${target.file}: ${before.problem.message}`, before.problem.remedy)
  return writeRule(io, options, { ...target, rule, before: before.kind === 'text' ? before.text : null, trust: homePaths(home).trust })
}

interface Target {
  readonly file: string
  readonly isProject: boolean
}

/** What was asked for; else the project's policy if there is one; else the user's. */
function chooseFile(options: AddRuleOptions, root: string, userFile: string): Target {
  const existing = findProjectPolicy(root)
  if (options.user === true) return { file: userFile, isProject: false }
  if (options.project === true) return { file: existing ?? newProjectPolicy(root), isProject: true }
  return existing === null ? { file: userFile, isProject: false } : { file: existing, isProject: true }
}

interface Change extends Target {
  readonly rule: NewRule
  /** null: the file is new. */
  readonly before: string | null
  readonly trust: string
}

function writeRule(io: CommandIo, options: AddRuleOptions, change: Change): ExitCode {
  const { file, rule, before } = change
  const old = before === null ? null : parseGenesis(before, file, genesisChecks)
  if (old?.ok === false) {
    printDiagnostics(io, old.errors)
    return fail(io, `${file} is broken: mend it first`)
  }
  const edited = addRuleText(before ?? EMPTY_POLICY, rule)
  if (edited.kind === 'refused') return fail(io, `${file}: the rule cannot be added: ${edited.why}`, 'add it by hand')
  if (edited.kind === 'present') return report(io, options, change, { added: false, text: before ?? '', isTrusted: null })
  const result = parseGenesis(edited.text, file, genesisChecks)
  if (!result.ok) return fail(io, `${file}: the rule cannot be added here`, 'add it by hand')
  const wasTrusted = !change.isProject || old === null || isTrusted(readTrust(change.trust), file, old.policy.hash)
  replaceFile(file, edited.text)
  if (change.isProject && wasTrusted) addTrust(change.trust, file, result.policy.hash)
  return report(io, options, change, { added: true, text: edited.text, isTrusted: wasTrusted })
}

/** Through links, to the file itself; whole or not at all. */
function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const target = existsSync(file) ? realpathSync(file) : file
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644
  const draft = `${target}.${randomUUID()}`
  writeFileSync(draft, text, { mode })
  renameSync(draft, target)
}

interface Outcome {
  readonly added: boolean
  readonly text: string
  readonly isTrusted: boolean | null
}

function report(io: CommandIo, options: AddRuleOptions, { file, rule, before }: Change, outcome: Outcome): ExitCode {
  if (options.json === true) {
    printJson(io, { file, added: outcome.added, effect: rule.effect, rule: rule.pattern, actor: rule.actor, trusted: outcome.isTrusted })
    return 0
  }
  if (!outcome.added) printLine(io.stdout, `${file} already has ${rule.effect} ${rule.pattern} for ${rule.actor}`)
  else {
    printLine(io.stdout, file)
    for (const line of addedLines(before ?? '', outcome.text)) printLine(io.stdout, paint(io, 'green', `+ ${line}`))
  }
  if (outcome.isTrusted === false && rule.effect === 'allow') {
    printLine(io.stderr, `note: ${file} is not trusted, so this rule has no effect until \`belay policy trust\``)
  }
  return 0
}

/** An insertion leaves what comes before and after it as it was; the lines in between are what changed. */
function addedLines(before: string, after: string): readonly string[] {
  const old = before.split(/\r?\n/)
  const now = after.split(/\r?\n/)
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  return now.slice(head, now.length - tail).filter((line, index, lines) => line !== '' || index < lines.length - 1)
}
