// `belay allow|ask|deny PATTERN`: adds a rule to the policy of the project or of the user, and shows the lines that change.
import type { NewRule } from '../config/genesis-edit.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProject, findProjectPolicy, newProjectPolicy } from '../config/project.ts'
import { writeRule } from '../config/write-rule.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'

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
  const home = findHome(io.env)
  const target = chooseFile(options, findProject(io.cwd, home).root, homePaths(home).policy)
  const written = writeRule({ ...target, trust: homePaths(home).trust }, rule)
  if (written.kind === 'refused') {
    printDiagnostics(io, written.errors)
    return fail(io, written.why, written.remedy)
  }
  const isTrusted = written.kind === 'added' ? written.isTrusted : null
  printDiagnostics(io, written.kind === 'added' ? written.warnings : [])
  if (options.json === true) {
    const { effect, pattern } = rule
    printJson(io, { file: target.file, added: written.kind === 'added', effect, rule: pattern, actor: written.actor, trusted: isTrusted })
    return 0
  }
  if (written.kind === 'present') printLine(io.stdout, `${target.file} already has ${rule.effect} ${rule.pattern} for ${written.actor}`)
  else {
    printLine(io.stdout, target.file)
    for (const line of addedLines(written.before, written.after)) printLine(io.stdout, paint(io, 'green', `+ ${line}`))
  }
  if (written.actor !== rule.actor) {
    const why = 'a list of its own would replace that, so the rule is there'
    printLine(io.stderr, `note: ${rule.actor} takes its allow rules from ${written.actor}; ${why}`)
  }
  if (isTrusted === false && rule.effect === 'allow') {
    printLine(io.stderr, `note: ${target.file} is not trusted, so this rule has no effect until \`belay policy trust\``)
  }
  return 0
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
