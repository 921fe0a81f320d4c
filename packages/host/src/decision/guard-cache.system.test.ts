// A process that has no descriptor left cannot read what it trusts: it says so while that lasts, and no longer.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homePaths } from '../config/home.ts'
import { findProject, projectSigns } from '../config/project.ts'
import { addTrust, hashOf, readTrust } from '../config/trust.ts'
import { buildGuard, completeGuard, guardFiles, loadGuard } from '../guard/load-guard.ts'
import { createGuardCache } from './guard-cache.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-wants-')))
const home = join(folder, 'home')
const project = join(folder, 'project')
const file = join(project, '.belay', 'genesis.key')
const TEXT = 'version: "2.0"\npermissions: {default: ask, actors: {"agent:*": {allow: ["Bash(git *)"]}}}\n'

beforeAll(() => {
  mkdirSync(join(project, '.belay'), { recursive: true })
  writeFileSync(file, TEXT)
  addTrust(homePaths(home).trust, file, hashOf(TEXT))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limit = (soft: string): void => void execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`])
const softLimit = (): string =>
  execFileSync('prlimit', ['--pid', String(process.pid), '--nofile', '-o', 'SOFT', '--noheadings'], { encoding: 'utf8' }).trim()

/** Uses up all descriptors of this process while `look` runs. */
function withoutDescriptors<T>(look: () => T): T {
  const before = softLimit()
  const opened: number[] = []
  limit('2048')
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'))
  } catch {
    return look()
  } finally {
    for (const each of opened) closeSync(each)
    limit(before)
  }
}

/** Read again, though nothing has changed. */
function touch(): void {
  for (const each of [file, homePaths(home).trust]) utimesSync(each, new Date(), new Date())
}

test('a trust that could not be read is read again', async () => {
  await sleep(50)
  expect(withoutDescriptors(() => readTrust(homePaths(home).trust)).problem).toContain('is damaged')
  expect(readTrust(homePaths(home).trust).problem).toBeNull()
})

test('a guard that could not be read anew is the one before, and one that never was is read at the next call', async () => {
  const place = { home, etc: folder, env: { HOME: folder } }
  const guards = () =>
    createGuardCache({
      load: root => loadGuard(root, place, root),
      complete: loaded => completeGuard(loaded, place),
      simulate: () => Promise.reject(new Error('not simulated here')),
      build: sources => buildGuard(sources, place, { config: {} }),
      projectOf: directory => findProject(directory, home),
      watched: root => guardFiles(root, place, []),
      signsOf: (directory, project) => projectSigns(directory, project),
      onLoaded: () => undefined,
      now: Date.now,
      turn: { current: null },
      freshMs: 1,
    })
  const [known, fresh] = [guards(), guards()]
  const before = known.get(project)
  expect([before.loaded.trustProblem, before.loaded.policies.map(({ trusted }) => trusted)]).toEqual([null, [true]])
  touch()
  await sleep(50)
  const [again, first] = withoutDescriptors(() => [known.get(project), fresh.get(project)] as const)
  expect([again.loaded.trustProblem, first.loaded.trustProblem !== null]).toEqual([null, true])
  expect([known, fresh].map(each => each.get(project).loaded.trustProblem)).toEqual([null, null])
})
