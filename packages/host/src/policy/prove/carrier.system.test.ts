// What the prover shows as a way to run a command really runs it: each carrier that is harmless and on this machine, alone and with those of the
// shell inside one another, is started with a program that leaves a mark.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CARRIERS, type Carrier } from './carrier.ts'
import { type Carried, carry } from './prove-property.ts'

/** Those that change nothing but their own folder, and end by themselves. */
const HARMLESS = new Set(
  'the shell,sh,bash,eval,source,.,dash,env,nohup,nice,time,setsid,command,exec,ionice,timeout,stdbuf,taskset,flock,xargs,find,script,trap,split,tar,python3,perl,node,awk,linux64,setarch,prlimit,setpriv'.split(
    ',',
  ),
)
const isHere = (name: string) => spawnSync('bash', ['-c', 'type "$0" > /dev/null 2>&1', name]).status === 0
const carriers = CARRIERS.filter(({ by }) => HARMLESS.has(by) && (by === 'the shell' || isHere(by)))
const ofShell = carriers.filter(({ by }) => ['the shell', 'sh', 'bash', 'eval', 'source', '.'].includes(by))

/** By its whole name: some carriers look for programs in other places. Where it stands is where it leaves its mark. */
const bin = realpathSync(mkdtempSync(join(tmpdir(), 'belay-mark-')))
afterAll(() => rmSync(bin, { recursive: true }))
writeFileSync(join(bin, 'mark'), '#!/bin/sh\necho x > "$1"\n')
chmodSync(join(bin, 'mark'), 0o755)
// What is shown for sh is true where sh is bash, as on many machines.
symlinkSync('/bin/bash', join(bin, 'sh'))

const LEFT = `${bin}/left-N`
const ACT: Carried = { text: `${bin}/mark ${LEFT}`, isSimple: true, isLocal: false, by: ['mark'] }
const through = (inner: Carried, carrier: Carrier): readonly Carried[] => carry(inner, carrier, true)
let started = 0

/** Whether the mark was left. */
function runs(command: string): Promise<boolean> {
  const left = LEFT.replace('N', String(started++))
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-carrier-')))
  writeFileSync(join(folder, 'x'), 'x\n')
  spawnSync('tar', ['cf', 'x.tar', 'x'], { cwd: folder })
  return new Promise(resolve => {
    const child = spawn('timeout', ['60', 'bash', '-c', command.replaceAll(LEFT, left)], {
      cwd: folder,
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end('y\n')
    const done = (found: boolean): void => {
      rmSync(folder, { recursive: true, force: true })
      resolve(found)
    }
    // What runs in the background may end a moment later.
    const wait = (tries: number): void => {
      if (existsSync(left) || tries === 0) done(existsSync(left))
      else setTimeout(() => wait(tries - 1), 50)
    }
    child.once('close', () => wait(40))
  })
}

async function silent(commands: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < commands.length; at = next++) {
      const command = commands[at] ?? ''
      if (!(await runs(command))) found.push(command)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return found
}

test(`${carriers.length} carriers run what they carry`, async () => {
  const commands = carriers.flatMap(carrier => through(ACT, carrier).map(({ text }) => text))
  expect(commands.length).toBeGreaterThan(60)
  expect(await silent(commands)).toEqual([])
}, 600_000)

test('those of the shell run it inside one another', async () => {
  const once = ofShell.flatMap(carrier => through(ACT, carrier))
  const twice = once.flatMap((inner, at) => ofShell.filter((_, each) => (each + at) % 4 === 0).flatMap(carrier => through(inner, carrier)))
  expect(twice.length).toBeGreaterThan(200)
  expect(await silent(twice.map(({ text }) => text))).toEqual([])
}, 900_000)
