// The real agents: fetched from npm once, set up without an account, and started headless against the scripted model.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { KIT } from '../../scripts/lib/kit.mjs'

/** Outside the repository: the clients are hundreds of megabytes. */
export const CACHE = process.env.BELAY_AGENT_CACHE ?? join(homedir(), '.cache', 'belay-agents')

/** By agent. Versions are named there: what one passes today must pass tomorrow. Each version has a folder of its own in the cache. */
export const CLIENTS = Object.fromEntries(
  Object.entries(KIT.HOST_AGENTS)
    .filter(([, { headless }]) => headless !== null)
    .map(clientOf),
)

function clientOf([agent, { headless }]) {
  return [agent, { ...headless, setUp: ({ home }) => putFiles(headless.homeFiles(home)) }]
}

/** Program, its name and version of an agent that is in the cache; null: this version of it is not. */
export function findClient(agent) {
  const { package: name, version, node } = CLIENTS[agent]
  const folder = folderOf(name, version)
  const about = join(folder, 'node_modules', name, 'package.json')
  if (!existsSync(about)) return null
  const { version: found, bin } = JSON.parse(readFileSync(about, 'utf8'))
  const command = typeof bin === 'string' ? name.split('/').at(-1) : Object.keys(bin)[0]
  const program = join(folder, 'node_modules', '.bin', command)
  return { command, program: node === null ? program : underNode(folder, program, node), version: found }
}

/** npm has Node itself as a package, for agents that need a newer one. */
function underNode(folder, program, version) {
  const bin = join(fetchPackage(`node-${process.platform}-${process.arch}`, version), 'bin')
  const file = join(folder, 'run')
  const text = `#!/bin/sh\nPATH='${bin}':"$PATH" exec '${program}' "$@"\n`
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text, { mode: 0o755 })
  return file
}

/** Fetches the agent into the cache, once. */
export function fetchClient(agent) {
  const { package: name, version } = CLIENTS[agent]
  fetchPackage(name, version)
  return findClient(agent)
}

/** Fetches a version of a package into the cache, once; gives its folder. */
export function fetchPackage(name, version) {
  const folder = folderOf(name, version)
  if (!existsSync(join(folder, 'node_modules', name, 'package.json'))) installInto(folder, `${name}@${version}`)
  return join(folder, 'node_modules', name)
}

function folderOf(name, version) {
  return join(CACHE, `${name.replaceAll('/', '-')}@${version}`)
}

/** Whoever looks into the cache meanwhile finds the whole package or none. */
function installInto(folder, spec) {
  mkdirSync(CACHE, { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  try {
    writeFileSync(join(fresh, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', spec], { cwd: fresh, stdio: 'inherit' })
    renameSync(fresh, folder)
  } catch (error) {
    // Another one was faster.
    if (error.code !== 'ENOTEMPTY') throw error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Runs the agent to its end. `under`: the words of a command that starts it. */
export function runClient({ agent, program, prompt, args = [], place, env = {}, limitMs = CLIENTS[agent].limitMs, under = [] }) {
  const client = CLIENTS[agent]
  putFiles(client.runFiles(place))
  const [command, ...words] = [...under, program, ...withMore(client.args(prompt, place), prompt, args)]
  return new Promise(resolve => {
    const child = spawn(command, words, {
      cwd: place.project,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        HOME: place.home,
        BELAY_NO_AUTOSTART: '1',
        ...(client.fetches ? { npm_config_registry: registry(), NPM_CONFIG_REGISTRY: registry() } : {}),
        ...client.env(place),
        ...env,
      },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', chunk => {
      out += chunk
    })
    child.stderr.on('data', chunk => {
      err += chunk
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code: code ?? signal, out, err })
    })
  })
}

/** Options go before a prompt that stands last without an option of its own. */
function withMore(args, prompt, more) {
  const at = args.lastIndexOf(prompt)
  return at === args.length - 1 && args[at - 1] !== '-p' ? [...args.slice(0, at), ...more, prompt] : [...args, ...more]
}

function registry() {
  return execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

function putFiles(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
