// A jail in which shell programs are run for real: namespaces of their own, no network, no rights, stubs in the place of every
// program that matters, scratch folders that are made anew for each program. What ran and which kept files were touched comes back.
// Nothing is run anywhere else: the driver inside refuses unless it can prove where it is.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KEPT_FILES, REAL_PROGRAMS, SCRATCH_FILES, SCRATCH_LINKS, STUB_PROGRAMS } from './layout.ts'

export interface Run {
  readonly cwd: string
  /** The name of the program without its folder, then its arguments. */
  readonly argv: readonly string[]
}

export interface Outcome {
  /** Exit code of bash, 128 and more for a signal; null: it took too long and was ended. */
  readonly status: number | null
  readonly ran: readonly Run[]
  /** Kept files that were opened, read, changed, moved or removed. */
  readonly touched: readonly string[]
}

export interface Jail {
  /** The same paths as inside, with the same files: what a judge may look at. */
  readonly root: string
  readonly home: string
  readonly run: (programs: readonly string[]) => Promise<readonly Outcome[]>
  readonly close: () => void
}

const native = join(dirname(fileURLToPath(import.meta.url)), 'native')
const NAMESPACES = ['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child']
/** No program takes longer than the driver lets it; this ends a driver that hangs. */
const PROGRAM_MS = 4000

export function createJail(): Jail {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-jail-')))
  const base = join(folder, 'base')
  const parts = join(folder, 'parts')
  mkdirSync(join(parts, 'root'), { recursive: true })
  const nonce = randomBytes(16).toString('hex')
  writeScratch(base)
  cpSync(base, join(parts, 'seed'), { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(parts, 'kept'), KEPT_FILES.map(file => `${join(base, file)}\n`).join(''))
  writeFileSync(join(parts, 'marker'), nonce)
  writeFileSync(join(parts, 'real'), REAL_PROGRAMS.map(name => `${name}\n`).join(''))
  writeFileSync(join(parts, 'stubs'), STUB_PROGRAMS.map(name => `${name}\n`).join(''))
  for (const name of ['driver', 'stub']) compile(name, parts)
  const enter = ['bash', join(native, 'enter.sh'), parts, base]
  const proof = [nonce, ...['mnt', 'net', 'pid'].map(kind => readlinkSync(`/proc/self/ns/${kind}`)), native, base]
  return {
    root: join(base, 'repo'),
    home: join(base, 'home'),
    run: programs => runPrograms(programs, [...NAMESPACES, ...enter, ...proof]),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function writeScratch(base: string): void {
  for (const [path, text] of Object.entries(SCRATCH_FILES)) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  for (const [path, target] of Object.entries(SCRATCH_LINKS)) symlinkSync(target, join(base, path))
}

function compile(name: string, parts: string): void {
  const { status, stderr } = spawnSync('cc', ['-O1', '-Wall', '-Werror', '-o', join(parts, name), join(native, `${name}.c`)], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name}.c does not compile: ${stderr}`)
}

async function runPrograms(programs: readonly string[], args: readonly string[]): Promise<readonly Outcome[]> {
  if (programs.some(program => program.includes('\0'))) throw new Error('a program with a NUL cannot be handed to the jail')
  const child = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: 30_000 + programs.length * PROGRAM_MS })
  const out: Buffer[] = []
  const problems: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk))
  // A driver that refuses does not read; its exit says why.
  child.stdin.on('error', error => problems.push(Buffer.from(`${error.message}\n`)))
  child.stdin.end(programs.map(program => `${program}\0`).join(''))
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const outcomes = Buffer.concat(out).toString('utf8').split('\0').slice(0, -1).map(readOutcome)
  if (status === 0 && outcomes.length === programs.length) return outcomes
  throw new Error(`the jail ended with ${status} after ${outcomes.length} of ${programs.length} programs: ${Buffer.concat(problems)}`)
}

function readOutcome(text: string): Outcome {
  const [status = '', touched = '', records = ''] = text.split('\x1d')
  const ran = records.split('\x1e').slice(0, -1).map(readRun)
  const kept = [...touched].map(letter => KEPT_FILES[letter.charCodeAt(0) - 97] ?? '?')
  return { status: status === '-1' ? null : Number(status), ran, touched: kept }
}

function readRun(record: string): Run {
  const [cwd = '', ...argv] = record.split('\x1f')
  return { cwd, argv }
}
