// The programs of a demonstration: belay and belay-hub as people run them, in a folder of their own that is gone afterwards.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Ran {
  readonly code: number
  readonly out: string
}

const HUB_BIN = fileURLToPath(new URL('../../bin/belay-hub.cjs', import.meta.url))
/** Beside this package in a clone, and where npm has installed both. */
const BELAY_BIN = fileURLToPath(new URL('../../../host/bin/belay.cjs', import.meta.url))
/** What may be set where somebody tries this, and would change what is shown. */
const OF_THE_CALLER = /^(?:BELAY_|AGENT_ID$|CLAUDE)/

export interface TeamPlace {
  readonly folder: string
  readonly project: string
  hub(...args: string[]): Promise<Ran>
  belay(home: string, args: readonly string[], more?: NodeJS.ProcessEnv): Promise<Ran>
  /** Resolves with its address once it answers. */
  startHub(port: number): Promise<{ readonly process: ChildProcess; readonly url: string }>
}

export function createPlace(folder: string, databaseUrl: string): TeamPlace {
  const project = join(folder, 'project')
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_THE_CALLER.test(name)))
  const hubEnv = { ...own, BELAY_HUB_DATABASE_URL: databaseUrl, BELAY_HUB_KEY_FILE: join(folder, 'hub.key') }
  return {
    folder,
    project,
    hub: (...args) => runProgram([process.execPath, HUB_BIN, ...args], folder, hubEnv),
    belay: (home, args, more = {}) => {
      const program = existsSync(BELAY_BIN) ? [process.execPath, BELAY_BIN] : ['belay']
      return runProgram([...program, ...args], project, { ...own, BELAY_HOME: home, BELAY_NO_AUTOSTART: '1', ...more })
    },
    startHub: port => startHub(['up', '--port', String(port)], folder, hubEnv),
  }
}

/** In a group of its own: Ctrl-C is ours to pass on, in the order in which things end. */
function runProgram([program = '', ...args]: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let out = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        out += String(chunk)
      })
    child.once('error', error => resolve({ code: 127, out: `${program}: ${error.message}\nbelay comes with npm install -g @belay/host` }))
    child.once('close', code => resolve({ code: code ?? 1, out }))
  })
}

function startHub(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [HUB_BIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let said = ''
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the hub ended with ${code}: ${said.trim()}`)))
    child.stderr.on('data', chunk => {
      said += String(chunk)
    })
    child.stdout.on('data', chunk => {
      said += String(chunk)
      const [, url] = /answers at (\S+)/.exec(said) ?? []
      if (url !== undefined) resolve({ process: child, url })
    })
  })
}
