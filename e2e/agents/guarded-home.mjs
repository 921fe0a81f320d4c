// One user with Belay: a home, a daemon of its own, and one agent installed by `belay install`. Projects are made in it as needed.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CLIENTS, fetchClient, runClient } from './client.mjs'
import { startModel } from './scripted-model.mjs'

const BELAY = fileURLToPath(new URL('../../packages/host/bin/belay.mjs', import.meta.url))

const NATIVE_CLIENT = fileURLToPath(new URL('../../packages/host/native/shim.c', import.meta.url))

/** Beyond that something is wrong, not slow. */
const PATIENCE_MS = 60_000

export function createGuardedHome(agent) {
  const root = mkdtempSync(join(tmpdir(), `belay-${agent}-`))
  const home = join(root, 'home')
  const belayHome = join(root, 'belay')
  mkdirSync(home)
  const { command, program, version } = fetchClient(agent)
  const programs = join(root, 'bin')
  mkdirSync(programs)
  // What the model calls when it calls `belay`.
  writeFileSync(join(programs, 'belay'), `#!/bin/sh\nexec '${process.execPath}' '${BELAY}' "$@"\n`)
  chmodSync(join(programs, 'belay'), 0o755)
  symlinkSync(program, join(programs, command))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    BELAY_HOME: belayHome,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CODEX_HOME: join(home, '.codex'),
  }
  let projects = 0

  function belay(args, cwd = home, more = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BELAY, ...args], { cwd, env: { ...env, ...more }, encoding: 'utf8' })
    if (status !== 0) throw new Error(`belay ${args.join(' ')}: ${stderr}${stdout}`)
    return stdout
  }

  function makeProject(policy) {
    const project = join(root, `project-${++projects}`)
    mkdirSync(join(project, '.belay'), { recursive: true })
    spawnSync('git', ['init', '-q', project])
    writeFileSync(join(project, '.belay', 'genesis.key'), policy)
    return project
  }

  /** What the ledger says of a project, oldest first. */
  function entriesOf(project) {
    return belay(['ledger', 'export'])
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
      .filter(({ body }) => body.root === project)
  }

  CLIENTS[agent].setUp({ home })
  belay(['install', agent])
  return {
    agent,
    version,
    program,
    home,
    belayHome,
    belayProgram: BELAY,
    belay,
    makeProject,
    configure: text => writeFileSync(join(belayHome, 'config.toml'), text),
    /** Of Claude Code, as `belay install` left them. */
    settings: () => JSON.parse(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')),
    /** Runs a line of an agent's configuration as the agent does. */
    runLine({ command, input }, { project, env: more }) {
      const place = { PATH: process.env.PATH, HOME: home, ...more }
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: project,
        env: place,
        input: JSON.stringify(input),
        encoding: 'utf8',
      })
      return { code: status, out: stdout, err: stderr }
    },
    /** What `belay doctor` finds about the agent, which it starts itself unless it is told not to. */
    doctor(project, args = []) {
      const { stdout } = spawnSync(process.execPath, [BELAY, 'doctor', agent, '--json', ...args], {
        cwd: project,
        env: { ...env, PATH: `${programs}:${process.env.PATH}` },
        encoding: 'utf8',
      })
      return JSON.parse(stdout)
    },
    up: () => belay(['up', '--detach']),
    down: () => belay(['down']),
    /** A client that finds neither its daemon nor its fallback. */
    breakClient() {
      const nowhere = ['SOCKET', 'SCRIPT'].map(name => `-DSHIM_${name}="/nonexistent/x"`)
      const { status } = spawnSync('cc', [...nowhere, '-o', join(belayHome, 'bin', 'belay-hook'), NATIVE_CLIENT])
      if (status !== 0) throw new Error('this case needs a C compiler')
    },
    /** Runs the agent in a new project under a policy. */
    async run({
      policy,
      steps,
      sub,
      prompt = 'please work',
      args,
      isTrusted = true,
      project = makeProject(policy),
      limitMs,
      supervisedAs,
      env: own = {},
    }) {
      if (isTrusted) belay(['policy', 'trust'], project)
      const model = await startModel({ steps, ...(sub === undefined ? {} : { sub }) })
      const place = { home, project, url: model.url }
      const under = supervisedAs === undefined ? [] : [process.execPath, BELAY, 'run', '--agent-id', supervisedAs, '--']
      const started = Date.now()
      const ended = await runClient({
        agent,
        program,
        prompt,
        place,
        under,
        env: { PATH: `${programs}:${process.env.PATH}`, ...(supervisedAs === undefined ? {} : { BELAY_HOME: belayHome }), ...own },
        ...(args === undefined ? {} : { args }),
        ...(limitMs === undefined ? {} : { limitMs }),
      })
      await model.close()
      return {
        ...ended,
        ms: Date.now() - started,
        project,
        calls: model.requests.length,
        heard: model.heard(),
        requests: model.requests,
        has: name => existsSync(join(project, name)),
        entries: () => entriesOf(project),
        /** The same once it is as wanted: a plain allow is answered before it is written, and some agents end before their last hook does. */
        entriesWhen: isWanted => readWhen(() => entriesOf(project), isWanted),
      }
    },
    close() {
      spawnSync(process.execPath, [BELAY, 'down'], { env })
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function readWhen(read, isWanted) {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const found = read()
    if (isWanted(found) || Date.now() > until) return found
    await sleep(100)
  }
}
