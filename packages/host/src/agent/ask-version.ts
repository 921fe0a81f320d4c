// What an agent's program says of its version. Some programs write into their home whenever they start; asking must leave nothing there, so
// the program gets an empty home that is removed again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from './host-agent.ts'

const TIME_LIMIT_MS = 30_000

/** Its first line; null: it cannot be started, or fails. */
export function askVersion(program: string, env: Env): string | null {
  const home = mkdtempSync(join(tmpdir(), 'belay-version-'))
  try {
    // A program that a version manager starts finds itself only through the real home.
    return ask(program, { PATH: env.PATH, LANG: 'C.UTF-8', HOME: home }) ?? ask(program, env)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The numbers in what a program says of its version; null: there are none. */
export function versionParts(said: string | null): readonly number[] | null {
  return (
    /\d+(?:\.\d+)+/
      .exec(said ?? '')?.[0]
      .split('.')
      .map(Number) ?? null
  )
}

function ask(program: string, env: Env): string | null {
  // Loaded only here: a hook call knows all agents and asks none of them.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout, stderr } = spawnSync(program, ['--version'], { env: { ...env }, encoding: 'utf8', timeout: TIME_LIMIT_MS })
  if (status !== 0) return null
  // Some say it on stderr.
  const [said = ''] = (stdout.trim() || stderr.trim()).split('\n')
  return said
}
