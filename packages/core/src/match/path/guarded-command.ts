// Commands that self-protection looks at, as data.
import { listAgents } from '../../agent/agents.ts'

/** Programs that start another one named in their arguments. */
export const launchers: ReadonlySet<string> = new Set([
  ...['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'bun', 'bunx', 'node', 'nodejs', 'deno', 'tsx', 'ts-node', 'corepack', 'volta'],
])

/** Verbs of agents' own command lines that change what they run: `claude mcp add`. Amp has no file in agent/. */
export const agentSetupVerbs: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['amp', new Set(['mcp', 'plugin', 'plugins', 'extensions', 'hooks', 'config'])],
  ...listAgents().flatMap(({ program, setupVerbs }) => (program === null ? [] : [[program, new Set(setupVerbs)] as const])),
])

/** Programs that change every file they are given; their operands need no further reading. */
export const fileChangers: ReadonlySet<string> = new Set([
  ...['rm', 'rmdir', 'unlink', 'shred', 'srm', 'mv', 'rename', 'chmod', 'chown', 'chgrp', 'chattr', 'setfacl', 'touch', 'truncate', 'tee'],
  ...[
    'ln',
    'link',
    'install',
    'rsync',
    'dd',
    'mkfifo',
    'mount',
    'umount',
    'patch',
    'sqlite3',
    'vi',
    'vim',
    'nvim',
    'nano',
    'emacs',
    'ed',
    'ex',
  ],
])

export const gitFileChangers: ReadonlySet<string> = new Set(['rm', 'mv', 'checkout', 'restore', 'clean', 'stash', 'checkout-index'])

/** Programs whose code can open any file without the path being an operand. */
export function isInterpreter(program: string): boolean {
  return INTERPRETER.test(program)
}

const INTERPRETER =
  /^(?:python|pypy|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|irb|php|lua|luajit|g?awk|mawk|nawk|sed|gsed|osascript|rscript|julia|groovy|scala|elixir|erl|tclsh|expect|guile|sbcl|racket|octave|pwsh|powershell|ipython|jshell|swift|go|m4|emacs|vim|nvim|ed|ex)[\d.-]*$/i

/** Programs that may name the socket because they do not speak to it. */
export const socketOnlookers: ReadonlySet<string> = new Set([
  'ls',
  'stat',
  'test',
  '[',
  '[[',
  'file',
  'echo',
  'printf',
  'find',
  'grep',
  'rg',
  'git',
])
