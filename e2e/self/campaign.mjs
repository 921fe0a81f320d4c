// Plays attacks, each first on a package without the protection it is meant for, where it must work, then on the built package, where it must
// not. Needs Linux with unshare, cc, perl and the build.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findAttack } from './attack/table.mjs'
import { makePackage } from './build.mjs'
import { runInJail } from './jail.mjs'
import { PATCHES } from './patch.mjs'

/** `isReal`: through the real Claude Code instead of the small host. `onCell` is told of each attack as it ends. */
export async function runCampaign(attacks, { isReal = false, onCell = () => undefined } = {}) {
  // Not in /tmp: a jail has one of its own. Nor under our name: what looks for our processes would find the attacker's too.
  const base = mkdtempSync('/var/tmp/attacks-')
  // Other users come as far as the world, where its own folders keep them out.
  chmodSync(base, 0o711)
  const [packages, worlds, cells] = [new Map(), new Map(), []]
  try {
    mkdirSync(join(base, 'made'))
    await makePackage(join(base, 'real'), null)
    await eachAtOnce(attacks, async attack => {
      const started = performance.now()
      const played = await playBoth(attack, { base, packages, worlds, isReal })
      const cell = { ...played, seconds: (performance.now() - started) / 1000 }
      cells.push(cell)
      onCell(cell)
    })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
  return cells
}

async function playBoth({ name, item, patch, client, needsUsers = false }, { base, packages, worlds, isReal }) {
  const play = async pack => {
    const made = await prepareWorld({ attack: name, client, pack }, { base, worlds })
    return playAgain(() => runInJail(base, { attack: name, client, pack, made, isReal, needsUsers }))
  }
  const [without, real] = [await buildPatched(patch, base, packages).then(play).catch(failed), await play(join(base, 'real')).catch(failed)]
  const works = without.failed === undefined && without.gain !== null
  const holds = real.failed === undefined && real.gain === null && real.lost.length === 0
  return { name, item, works, holds, without, real }
}

const TRIES = 3

/** Where no world could be made, on a machine that is busy, nothing was attacked yet. Whatever came of an attack stands. */
async function playAgain(play) {
  for (let left = TRIES - 1; ; left--) {
    const result = await play().catch(failed)
    if (result.failed === undefined || left === 0) return result
  }
}

const failed = error => ({ failed: error.message })

/** What all worlds of a package and a client begin with is made once; each attack then has a copy of it. */
function prepareWorld({ attack, client = 'native', pack }, { base, worlds }) {
  const key = JSON.stringify([pack, client, findAttack(attack).home])
  const making = join(base, 'made', String(worlds.size))
  if (!worlds.has(key)) {
    mkdirSync(making)
    const made = playAgain(() => runInJail(base, { attack, client, pack, making }))
    worlds.set(
      key,
      made.then(({ failed: why }) => {
        if (why !== undefined) throw new Error(why)
        return making
      }),
    )
  }
  return worlds.get(key)
}

/** A package is built once, whoever needs it first. */
function buildPatched(name, base, packages) {
  if (PATCHES[name] === undefined) return Promise.reject(new Error(`no patch is called ${name}`))
  const folder = join(base, `patched-${Object.keys(PATCHES).indexOf(name)}`)
  if (!packages.has(name))
    packages.set(
      name,
      makePackage(folder, PATCHES[name]).then(() => folder),
    )
  return packages.get(name)
}

async function eachAtOnce(all, work) {
  const waiting = [...all]
  const workers = Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  })
  await Promise.all(workers)
}
