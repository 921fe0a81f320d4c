// `belay conform AGENT`: tries the agent that is installed here against everything that an agent must do with our answers, in a home of its
// own with a model on loopback, and keeps what was seen as a signed row.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Agent, findAgent, listAgents } from '@belay/core/adapter'
import { suggestRemedy } from '@belay/core/policy'
import { errorText } from '@belay/core/value'
import { HOST_AGENTS, programOf } from '../agent/agents.ts'
import { askVersion } from '../agent/ask-version.ts'
import type { Headless } from '../agent/host-agent.ts'
import { findHome } from '../config/home.ts'
import type { State } from '../conform/case.ts'
import { renderDrift, renderRow, sumUp, titleOf } from '../conform/render.ts'
import { checkRow, compareRows, formatRow, keepRow, ROW_FORMAT, type Row, readLastRow, type SignedRow, signRow } from '../conform/row.ts'
import { type CaseResult, type Conformed, caseIds, hasScene, runConform } from '../conform/run-conform.ts'
import { findOnPath } from '../disk/on-path.ts'
import { findMachineSigner, needMachineSigner } from '../ledger/machine-signer.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'
import { renderTable } from '../terminal/table.ts'
import { VERSION } from './help.ts'

export interface ConformCommandOptions {
  readonly agent?: string
  readonly program?: string
  readonly against?: string
  readonly only?: string
  readonly verify?: string
  readonly json?: boolean
  readonly md?: boolean
}

export async function runConformCommand(options: ConformCommandOptions, io: CommandIo): Promise<ExitCode> {
  if (options.verify !== undefined) return verify(options.verify, options, io)
  if (options.agent === undefined) return list(options, io)
  const subject = findSubject(options.agent)
  if (typeof subject === 'string') return fail(io, subject, suggestRemedy(options.agent, named()) ?? `there are: ${named().join(' ')}`)
  const { only } = options
  if (only !== undefined && !hasScene(only))
    return fail(io, `--only ${only}: no case is called that, and no scene has it in its title`, `cases: ${caseIds().join(' ')}`)
  const program = findProgram(subject.agent, options, io)
  if (program === null)
    return fail(
      io,
      `${subject.agent.name} is not here: no \`${programOf(subject.agent.id)}\` on the path`,
      'install it, or name it with --program FILE',
    )
  const version = readVersion(program, io)
  const earlier = options.against === undefined ? readLastRow(findHome(io.env), subject.agent.id) : readRow(options.against, io)
  if (typeof earlier === 'string') return fail(io, `${options.against}: ${earlier}`)
  const done = await tryAgent({ ...subject, program, version }, options, io)
  if (done === null) return 2
  const row = await signed(done.row, io)
  if (typeof row === 'string') return fail(io, `the row cannot be signed: ${row}`)
  // A part of the cases is not a row to compare with.
  const file = options.only === undefined ? keepRow(findHome(io.env), row) : null
  report(row, { earlier, file }, options, io)
  if (row.problem !== null) return fail(io, `${row.name} does not run here: ${row.problem}`)
  return row.cases.every(isGood) ? 0 : 1
}

/** What its contract allows is obeyed. */
function isGood({ state }: CaseResult): boolean {
  return state !== 'ignored' && state !== 'untried'
}

interface Tried {
  readonly agent: Agent
  readonly headless: Headless
}

function findSubject(id: string): Tried | string {
  const agent = findAgent(id)
  if (agent === null) return `there is no agent \`${id}\``
  const { headless } = HOST_AGENTS[agent.id]
  return headless === null ? `nobody has run ${agent.name} without a person and an account yet` : { agent, headless }
}

function named(): readonly string[] {
  return listAgents()
    .map(({ id }) => id)
    .filter(id => HOST_AGENTS[id].headless !== null)
}

function findProgram({ id }: Agent, { program }: ConformCommandOptions, io: CommandIo): string | null {
  if (program !== undefined) return resolve(io.cwd, program)
  const name = programOf(id)
  return name === null ? null : findOnPath(name, io.env.PATH ?? '')
}

function readVersion(program: string, io: CommandIo): string {
  return /\d+(?:\.\d+)+(?:-[\w.]+)?/.exec(askVersion(program, io.env) ?? '')?.[0] ?? 'unknown'
}

interface Trial extends Tried {
  readonly program: string
  readonly version: string
}

/** null: it was broken off, or could not begin; that was said. */
async function tryAgent(
  { version, ...subject }: Trial,
  options: ConformCommandOptions,
  io: CommandIo,
): Promise<{ readonly row: Row } | null> {
  const isPlain = options.json !== true && options.md !== true
  const progress = isPlain ? io.stdout : io.stderr
  const stop = new AbortController()
  const onSignal = () => stop.abort(new Error('interrupted'))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of signals) process.on(name, onSignal)
  printLine(progress, `${subject.agent.name} ${version} (${subject.program}), in a home of its own, with a model on this machine:`)
  try {
    const done: Conformed = await runConform({
      ...subject,
      version,
      env: io.env,
      signal: stop.signal,
      only: options.only ?? null,
      onScene: ({ title, at, of }) => printLine(progress, paint(io, 'dim', `${at}/${of} ${title}`)),
      onResult: result => printLine(progress, resultLine(io, result)),
    })
    return { row: rowOf(subject.agent, version, done) }
  } catch (error) {
    fail(io, stop.signal.aborted ? 'broken off: nothing is kept, and nothing runs on' : errorText(error))
    return null
  } finally {
    for (const name of signals) process.off(name, onSignal)
  }
}

const COLOURS = { obeyed: 'green', degraded: 'yellow', ignored: 'red', unsupported: 'dim', untried: 'yellow' } as const satisfies Record<
  State,
  string
>

function resultLine(io: CommandIo, { id, title, state, note }: CaseResult): string {
  return `  ${paint(io, COLOURS[state], state.padEnd(11))}  ${id.padEnd(20)}  ${title}${note === null ? '' : ` (${note})`}`
}

function rowOf({ id, name }: Agent, version: string, { cases, problem }: Conformed): Row {
  const system = `${process.platform} ${process.arch}, Node ${process.versions.node}`
  return { format: ROW_FORMAT, agent: id, name, version, belay: VERSION, date: new Date().toISOString(), system, problem, cases }
}

async function signed(row: Row, io: CommandIo): Promise<SignedRow | string> {
  const machine = await needMachineSigner(findHome(io.env))
  return typeof machine === 'string' ? machine : signRow(row, machine.signer)
}

interface Kept {
  readonly earlier: SignedRow | null
  /** null: it is not kept. */
  readonly file: string | null
}

function report(row: SignedRow, { earlier, file }: Kept, options: ConformCommandOptions, io: CommandIo): void {
  if (options.json === true) {
    io.stdout.write(formatRow(row))
    return
  }
  if (options.md === true) {
    printLine(io.stdout, renderRow(row))
    return
  }
  printLine(io.stdout)
  printLine(io.stdout, `${titleOf(row)}: ${sumUp(row.cases)}`)
  if (file !== null) printLine(io.stdout, `signed with ${row.key.split('+').slice(0, 2).join('+')}, kept in ${file}`)
  // Without --against a part is not compared with the whole.
  if (earlier === null || (file === null && options.against === undefined)) return
  const isTried = ({ id }: CaseResult) => file !== null || row.cases.some(each => each.id === id)
  const drifts = compareRows({ ...earlier, cases: earlier.cases.filter(isTried) }, row)
  const since = `${earlier.name} ${earlier.version} under Belay ${earlier.belay} (${earlier.date.slice(0, 10)})`
  printLine(io.stdout, drifts.length === 0 ? `nothing differs from ${since}` : `differs from ${since} in ${drifts.length}:`)
  for (const line of drifts.flatMap(renderDrift)) {
    printLine(io.stdout, paint(io, line.startsWith('  -') ? 'red' : line.startsWith('  +') ? 'green' : 'bold', line))
  }
}

function readRow(file: string, io: CommandIo): SignedRow | string {
  const checked = checkFile(file, io)
  return checked.ok ? checked.row : checked.why
}

function checkFile(file: string, io: CommandIo): ReturnType<typeof checkRow> {
  try {
    return checkRow(readFileSync(resolve(io.cwd, file), 'utf8'))
  } catch (error) {
    return { ok: false, why: `it cannot be read: ${errorText(error)}` }
  }
}

async function verify(file: string, options: ConformCommandOptions, io: CommandIo): Promise<ExitCode> {
  const checked = checkFile(file, io)
  const machine = await findMachineSigner(findHome(io.env))
  const isOurs = checked.ok && typeof machine !== 'string' && machine.signer.id === checked.key.id
  if (options.json === true)
    printJson(
      io,
      checked.ok
        ? { ok: true, key: checked.row.key, isOfThisMachine: isOurs, agent: checked.row.agent, version: checked.row.version }
        : checked,
    )
  else if (!checked.ok) printLine(io.stdout, `${file}: ${checked.why}`)
  else
    printLine(
      io.stdout,
      `${titleOf(checked.row)}: as it was signed, by ${checked.key.name}+${checked.key.id}, ${isOurs ? 'the key of this machine' : "another machine's key: compare it"}`,
    )
  return checked.ok ? 0 : 1
}

/** Without an agent: those that can be tried, and what was seen last. */
function list(options: ConformCommandOptions, io: CommandIo): ExitCode {
  const rows = named().map(id => {
    const { headless } = HOST_AGENTS[id as keyof typeof HOST_AGENTS]
    const last = readLastRow(findHome(io.env), id)
    const program = programOf(id as keyof typeof HOST_AGENTS)
    return {
      agent: id,
      program: program === null ? null : findOnPath(program, io.env.PATH ?? ''),
      package: headless?.package ?? null,
      version: headless?.version ?? null,
      last: last === null ? null : { version: last.version, date: last.date, result: sumUp(last.cases) },
    }
  })
  if (options.json === true) printJson(io, rows)
  else {
    const cells = rows.map(({ agent, program, last }) => [
      agent,
      program === null ? 'no' : 'yes',
      last === null ? `never: belay conform ${agent}` : `${last.version} on ${last.date.slice(0, 10)}: ${last.result}`,
    ])
    printLine(io.stdout, renderTable(io, ['AGENT', 'HERE', 'LAST TRIED'], cells, 'no agent can be tried'))
  }
  return 0
}
