// Makes the hook client that agents start. Each builder writes one executable file and gives null, or says why it cannot.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROOF, quote, UNTRACED } from '../agent/hook-command.ts'
import { programCommand } from '../config/own-command.ts'
import { builtInEnvironment } from '../wire/own-environment.ts'

export type ShimKind = 'native' | 'perl' | 'node'

export interface BuildOptions {
  /** Where the client goes. */
  readonly path: string
  /** Used whatever the environment of the hook says. */
  readonly home: string
  readonly socket: string
  /** Folder of the clients' sources. */
  readonly native: string
  readonly node: string
  /** The command that judges when there is no daemon. */
  readonly script: string
  /** Of the person who installs it. */
  readonly env: Readonly<Record<string, string | undefined>>
}

const LINK_SMALL = '-Wl,--build-id=none,--gc-sections,-z,norelro,-z,noseparate-code'
/** From the fastest to the one that every compiler can make. Some systems have no static C library. */
export const NATIVE_FLAGS: readonly (readonly string[])[] = [
  [
    '-Os',
    '-DSHIM_BARE',
    '-nostdlib',
    '-static',
    '-ffreestanding',
    '-fno-pie',
    '-no-pie',
    '-fno-stack-protector',
    '-fno-asynchronous-unwind-tables',
    '-fno-tree-loop-distribute-patterns',
    '-U_FORTIFY_SOURCE',
    LINK_SMALL,
  ],
  ['-O2', '-static'],
  ['-O2'],
]

export function buildNative(options: BuildOptions): string | null {
  const { path, native, env } = options
  const compiler = env.CC || 'cc'
  const named = {
    SHIM_HOME: options.home,
    SHIM_SOCKET: options.socket,
    SHIM_NODE: options.node,
    SHIM_SCRIPT: options.script,
    SHIM_COMMAND: programCommand(options.script),
    SHIM_ENVIRONMENT: builtInEnvironment(env).join('\n'),
  }
  const defines = Object.entries(named).map(([name, value]) => `-D${name}=${JSON.stringify(value)}`)
  let problem = `${compiler} cannot build the native client`
  for (const flags of NATIVE_FLAGS) {
    const built = spawnSync(compiler, [...flags, ...defines, '-o', path, join(native, 'shim.c')], { env, encoding: 'utf8' })
    if (built.error !== undefined) return `there is no C compiler (${compiler})`
    const failed = built.status === 0 ? startsOrWhy(path) : problem
    if (failed === null) return null
    problem = failed
  }
  return problem
}

export function buildPerl({ path, native, home, socket, node, script, env }: BuildOptions): string | null {
  const found = spawnSync('perl', ['-e', 'print $^X'], { env, encoding: 'utf8' })
  if (found.status !== 0) return 'there is no perl'
  const environment = builtInEnvironment(env).join('\n')
  const values: Readonly<Record<string, string>> = {
    HOME: home,
    SOCKET: socket,
    NODE: node,
    SCRIPT: script,
    COMMAND: programCommand(script),
    ENVIRONMENT: environment,
  }
  const text = readFileSync(join(native, 'shim.pl'), 'utf8')
    .replace('#!/usr/bin/env perl', `#!${found.stdout.trim() || '/usr/bin/perl'} -T`)
    .replace(/@(HOME|SOCKET|NODE|SCRIPT|COMMAND|ENVIRONMENT)@/g, (_, name) => perlText(values[name] ?? ''))
  return write(path, text)
}

export function buildNode(options: BuildOptions): string | null {
  return write(options.path, nodeClient(options))
}

const CLEANING = 'Only what is handed on of the call stays: the rest could load code into Node.'
/** As in shim.c; the second line is what no shell lets go of. */
const HANDED_ON = `AGENT_ID | AGENT_PARENT | AGENT_MANAGES | AGENT_CLAIMS | BELAY_ACTOR | BELAY_COMMITMENT | BELAY_RUN_ID | BELAY_AGENT_SECRET | \\
    BELAY_NO_AUTOSTART | CLAUDE_ENV_FILE | CLAUDE_CODE_SESSION_ATTENDED | GROK_HOOK_EVENT | AI_AGENT | *_PROJECT_DIR | *PLUGIN_ROOT | *_API_KEY | HOOK_* | \\
    SHELLOPTS | BASHOPTS | BASH_VERSINFO | EUID | PPID | UID | _`

function exportLine(entry: string): string {
  const at = entry.indexOf('=')
  return `export ${entry.slice(0, at)}=${quote(entry.slice(at + 1))}`
}

/**
 * Node itself may crash or hang, and agents run the tool on any code but 2, or when they have waited long enough: it is watched from outside,
 * with the limits of shim.c. At other events nothing must hold the agent up. What watches holds none of the agent's pipes open, ends with the
 * call, and where there is no `sleep` it does nothing. Node must prove its answers, as the client must to the hook line.
 */
function nodeClient({ home, node, script, env }: Pick<BuildOptions, 'home' | 'node' | 'script' | 'env'>): string {
  const set = builtInEnvironment({ ...env, BELAY_HOME: undefined }).map(exportLine)
  return `#!/bin/sh
${UNTRACED}
# ${CLEANING}
unset NODE_OPTIONS
PATH=/usr/bin:/bin
for variable in $(env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p'); do
  case $variable in ${HANDED_ON}) ;; *) unset "$variable" ;; esac
done
${[...set, exportLine(`BELAY_HOME=${home}`)].join('\n')}
proof=0
case $7-$8 in --proof-${PROOF}) proof=${PROOF} ;; *) set -- "$@" --proof ${PROOF} ;; esac
exec 3<&0
${quote(node)} ${quote(script)} hook "$@" <&3 3<&- &
child=$!
limit=25000
case $5-$6 in --deadline-ms-*[!0-9]* | --deadline-ms- | --deadline-ms-0*) ;; --deadline-ms-*) limit=$6 ;; esac
more=$((limit / 5 * 4))
[ $more -lt 10000 ] && more=10000
[ $more -gt 18000 ] && more=18000
(
  trap 'kill $nap; exit' TERM
  sleep $(((limit + more) / 1000)) &
  nap=$!
  wait $nap && kill -KILL $child
) >/dev/null 2>&1 3<&- &
watch=$!
wait $child
code=$?
kill $watch 2>/dev/null
case $code in ${PROOF} | ${PROOF + 2}) exit $((code - ${PROOF} + proof)) ;; esac
echo ${quote(`Belay: its hook client failed; a person can run \`${programCommand(script)} doctor\``)} >&2
case $4 in *[Tt]ool* | *[Pp]ermission* | *xecution | *[Rr]ead* | pre[_-]* | reference-*) exit 2 ;; esac
exit 1
`
}

/** Changes whenever the client would come out different. */
export function fingerprint({ native, home, socket, node, script, env }: BuildOptions, kinds: readonly ShimKind[]): string {
  const sources = ['shim.c', 'text.h', 'bare.h', 'shim.pl'].map(name => readFileSync(join(native, name), 'utf8'))
  return createHash('sha256')
    .update(JSON.stringify([sources, nodeClient({ home, node, script, env }), socket, kinds]))
    .digest('hex')
}

function write(path: string, text: string): string | null {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return startsOrWhy(path)
}

/** A file system mounted noexec, a wrong interpreter: better found now than in the middle of an agent's call. */
function startsOrWhy(path: string): string | null {
  const { status } = spawnSync(path, ['--agent', 'none', '--event', 'none', '--deadline-ms', '1'], {
    input: '{}',
    env: { PATH: process.env.PATH, BELAY_NO_AUTOSTART: '1' },
  })
  // An `error` beside a status only says that the client ended before it had read its input, which happens on a busy machine.
  return status !== null && status !== 126 && status !== 127 ? null : `${path} cannot be started`
}

function perlText(text: string): string {
  return text.replace(/[\\']/g, '\\$&')
}
