// Runs `belay conform` with an agent of the cache, under a Belay home of its own whose key signs.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchClient } from '../../e2e/agents/client.mjs'
import { root } from './ensure.mjs'

export const ROWS = join(root, 'docs', 'conform')

/** Gives the row, or null where the command could not work; what it said goes to `onText`. */
export async function conformAgent(agent, { only = null, onText }) {
  const home = mkdtempSync(join(tmpdir(), 'belay-key-'))
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const args = ['conform', agent, '--program', fetchClient(agent).program, '--json', ...(only === null ? [] : ['--only', only])]
  try {
    const child = spawn(process.execPath, [join(root, 'packages/host/bin/belay.cjs'), ...args], {
      env: { ...env, BELAY_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', onText)
    await new Promise(resolve => child.on('close', resolve))
    return out === '' ? null : JSON.parse(out)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The row that stands in docs; null: there is none. */
export function readRow(agent) {
  const file = join(ROWS, `${agent}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
