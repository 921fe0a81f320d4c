// The prover against matchers that lack something in their tables: a launcher, what an option of it does, a program that writes. Each fault is
// a hole (a command that shows it is let through), and each is found.
import { afterAll, expect, test, vi } from 'vitest'

// Whoever comes after us in this process gets whole tables again.
afterAll(() => void vi.resetModules())

type Table = Record<string, { options?: string; operands?: string }>

/** The tables as they stand in memory: the matcher that is loaded after a change never knew better. */
const TABLES: Readonly<Record<string, () => Promise<object>>> = {
  wrapper: async () => (await import('../../../../core/src/match/shell/table/wrapper-table.ts')).wrapperTable,
  launcher: async () => (await import('../../../../core/src/match/shell/table/launcher-table.ts')).launcherTable,
  file: async () => (await import('../../../../core/src/match/shell/table/file-table.ts')).fileTable,
  network: async () => (await import('../../../../core/src/match/shell/table/network-table.ts')).networkTable,
}

async function proveWithout(table: string, change: (table: Table) => void, property: string) {
  vi.resetModules()
  change((await TABLES[table]?.()) as Table)
  const { parseGenesis } = await import('@belay/core/policy')
  const { IMAGINED_ROOT, imaginedGuard } = await import('../imagined-guard.ts')
  const { toolEvent } = await import('../recorded-call.ts')
  const { proveProperty, readProperty } = await import('./prove-property.ts')
  const rule = property.replace('never ', '')
  const parsed = parseGenesis(`version: "2.0"\npermissions: {default: allow, actors: {"agent:*": {deny: ["${rule}"]}}}\n`, 'x.key')
  const read = readProperty(property)
  if (!parsed.ok || !read.ok) throw new Error('the policy or the property does not parse')
  const guard = imaginedGuard([parsed.policy])
  const decide = (command: string): string => {
    const call = { tool: 'Bash', input: { command } }
    return guard.judge(call, toolEvent({ call, actor: 'agent:a', cwd: IMAGINED_ROOT })).verdict.decision
  }
  const prover = imaginedGuard([parsed.policy], { stopsAtRefusal: true })
  return { decide, proof: proveProperty(prover, read, { actor: 'agent:a', depth: 1, cwd: IMAGINED_ROOT }) }
}

/** No table knows this program: nothing but the row tells that it runs. */
const DEPLOY = 'never Bash(deploy *)'
const ENV = 'never Write(.env*)'

const row = (table: string, name: string, witness: string, property = DEPLOY) =>
  [`${name} (${table})`, table, (rows: Table) => delete rows[name], property, witness] as const
/** What an option does is no longer known. */
const option = (table: string, name: string, [from, to]: readonly [string, string], witness: string) =>
  [
    `${from} of ${name} (${table})`,
    table,
    (rows: Table) => {
      const program = rows[name]
      if (program?.options?.includes(from) !== true) throw new Error(`${name} has no ${from}`)
      program.options = program.options.replace(from, to)
    },
    DEPLOY,
    witness,
  ] as const

/** What the words behind it are is no longer known. */
const operands = (table: string, name: string, witness: string, property = DEPLOY) =>
  [
    `what ${name} is given (${table})`,
    table,
    (rows: Table) => {
      const program = rows[name]
      if (program?.operands === undefined) throw new Error(`${name} has no operands`)
      rows[name] = { ...program, operands: 'data' }
    },
    property,
    witness,
  ] as const

test.each([
  row('wrapper', 'timeout', 'timeout 5 deploy'),
  row('wrapper', 'chrt', 'chrt 1 deploy'),
  row('wrapper', 'taskset', 'taskset 1 deploy'),
  row('wrapper', 'flock', 'flock lock deploy'),
  row('wrapper', 'chroot', 'chroot / deploy'),
  row('wrapper', 'perf', 'perf stat deploy'),
  row('launcher', 'gosu', 'gosu root deploy'),
  row('launcher', 'su-exec', 'su-exec root deploy'),
  option('wrapper', 'env', ['-S,--split-string:env-split', '-S,--split-string:value'], "env -S 'deploy'"),
  option('wrapper', 'flock', ['-c,--command:shell', '-c,--command:value'], "flock lock -c 'deploy'"),
  option('wrapper', 'script', ['-c,--command:shell', '-c,--command:value'], "script -qc 'deploy' /dev/null"),
  option('wrapper', 'su', ['-c,--command:shell', '-c,--command:value'], "su -c 'deploy'"),
  option('wrapper', 'runuser', ['-c,--command:shell', '-c,--command:value'], "runuser -c 'deploy'"),
  option('file', 'tar', ['--to-command:shell', '--to-command:value'], "tar xf x.tar --to-command='deploy'"),
  option(
    'file',
    'tar',
    ['--checkpoint-action:tar-action', '--checkpoint-action:value'],
    "tar cf x.tar . --checkpoint=1 --checkpoint-action=exec='deploy'",
  ),
  option('file', 'split', ['--filter:shell', '--filter:value'], "split --filter='deploy' x"),
  option('network', 'rsync', ['-e,--rsh:shell', '-e,--rsh:value'], "rsync -e 'deploy' a h:b"),
  operands('wrapper', 'watch', 'watch deploy'),
  operands('wrapper', 'nice', 'nice deploy'),
  operands('wrapper', 'nohup', 'nohup deploy'),
  operands('wrapper', 'env', 'env deploy'),
  operands('wrapper', 'sudo', 'sudo deploy'),
  operands('wrapper', 'xargs', 'xargs deploy'),
  operands('wrapper', 'stdbuf', 'stdbuf -o0 deploy'),
  operands('wrapper', 'strace', 'strace deploy'),
  operands('launcher', 'fakeroot', 'fakeroot deploy'),
  operands('file', 'tee', 'tee .env', ENV),
  operands('file', 'touch', 'touch .env', ENV),
  operands('file', 'cp', 'cp a .env', ENV),
  operands('file', 'mv', 'mv a .env', ENV),
  operands('file', 'install', 'install a .env', ENV),
  operands('file', 'dd', 'dd if=a of=.env', ENV),
])('without %s the prover finds a way', async (_title, table, change, property, witness) => {
  const { decide, proof } = await proveWithout(table, change, property)
  expect([decide(witness), proof.counterExample?.verdict]).toEqual(['allow', 'allow'])
})
