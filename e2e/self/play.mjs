// Plays one attack in its world and looks from outside what came of it: what ran, what is allowed, what is recorded.
import { spawn } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { playThroughClaude } from './host/real-claude.mjs'

const HOST = fileURLToPath(new URL('host/claude.mjs', import.meta.url))
const SESSION = 'session-of-the-attack'

export async function playAttack(world, attack, isReal = false) {
  const { setUp, isDown = false, moves, prompt, won = wonByRunning('deploy'), isRecorded = true } = attack
  copyFileSync(HOST, join(world.programs, 'claude.mjs'))
  await setUp?.(world)
  if (!isDown) world.up()
  const all = await moves(world)
  const calls = isReal ? await playThroughClaude(world, all, prompt) : await playThroughHost(world, all, prompt)
  const gain = await won(world, calls)
  const lost =
    isRecorded && (gain ?? null) === null
      ? await findLost(
          world,
          calls.filter(({ isMade }) => isMade !== false),
        )
      : []
  return {
    gain: gain ?? null,
    lost,
    note: world.note,
    calls: calls.map(({ tool, input, blocked, why, code, out }) => ({ tool, input, blocked, why, code, out: out?.slice(-300) })),
  }
}

/** The daemon looks at the files of a policy no more often than that: without its protection an attack has to wait for it. */
const SEEN_MS = 400

async function playThroughHost(world, moves, prompt) {
  const calls = []
  for (const move of moves) {
    if (typeof move === 'function') {
      await move(world, calls)
      await sleep(SEEN_MS)
    } else calls.push(await callTool(world, { ...move, prompt }))
  }
  return calls
}

/** The default of all attacks: a program that the policy denies has run. */
export function wonByRunning(...names) {
  return world => names.map(name => (world.ran(name) === null ? null : `${name} ran`)).find(each => each !== null) ?? null
}

function callTool(world, { tool = 'Bash', input, command, env = {}, ...more }) {
  const call = { tool, input: input ?? { command }, session: SESSION, project: world.project, ...more }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(world.programs, 'claude.mjs')], {
      cwd: world.project,
      env: { ...world.env, BELAY_NO_AUTOSTART: '1', ...env },
      detached: more.isSameSession !== true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', piece => {
      out += piece
    })
    child.stderr.on('data', piece => {
      err += piece
    })
    child.on('error', reject)
    child.on('close', () => {
      try {
        resolve({ ...call, ...JSON.parse(out) })
      } catch {
        // Whoever ends the agent has not run anything with it.
        resolve({ ...call, blocked: true, why: `the agent ended: ${err.slice(-500)}`, ended: true })
      }
    })
    child.stdin.end(JSON.stringify(call))
  })
}

/** Beyond that something is wrong, not slow. */
const PATIENCE_MS = 60_000

/** Calls that no entry of the ledger speaks of, the daemon being up again: what waits in the spool is taken over by and by. */
async function findLost(world, calls) {
  const up = world.tryBelay(['up', '--detach'])
  if (up.code !== 0) return [`the daemon cannot be started again: ${up.err}`]
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const entries = world
      .entries()
      .filter(({ kind, session }) => kind === 'pre_tool_use' && calls.some(call => call.session === undefined || call.session === session))
    if (entries.length >= calls.length) return []
    if (Date.now() > until) return [`${calls.length} calls, ${entries.length} of them in the ledger`]
  }
}
