// A copy of the project in a folder of its own, in which something may be broken and put back.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './ensure.mjs'

/** With packages of its own: the linter cannot follow a link that leads out of the project. */
export function copyProject() {
  const folder = mkdtempSync(join(tmpdir(), 'belay-fault-'))
  const files = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).stdout.split('\0').filter(Boolean)
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  const places = ['node_modules', ...['core', 'host', 'dashboard'].map(name => `packages/${name}/node_modules`)]
  for (const place of places.filter(each => existsSync(join(root, each)))) {
    const pair = [join(root, place), join(folder, place)]
    if (spawnSync('cp', ['-al', ...pair]).status !== 0) cpSync(...pair, { recursive: true, verbatimSymlinks: true })
  }
  for (const args of ['init -q', 'add -A', 'commit -qm copy']) git(folder, args.split(' '))
  return folder
}

/** As it was copied. */
export function restore(copy) {
  git(copy, ['reset', '-q', '--hard'])
  git(copy, ['clean', '-fdq'])
}

export function write(copy, file, text) {
  mkdirSync(dirname(join(copy, file)), { recursive: true })
  writeFileSync(join(copy, file), text)
}

function git(cwd, args) {
  return spawnSync('git', ['-c', 'user.name=belay', '-c', 'user.email=belay@localhost', ...args], { cwd, encoding: 'utf8' })
}
