// Every shell has options of its own that hold code: what must not run is found in them, and code that nobody can read is asked about.
import { expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const DENY = ['Bash(rm -rf *)', 'Bash(git push *)', 'Read(.env*)', 'Write(.env*)']

function decide(command: string, byDefault: 'ask' | 'none', allow: readonly string[]): string {
  const request = { tool: 'Bash', input: { command }, allow, deny: DENY, default: byDefault }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

function letThrough(commands: readonly string[]): readonly string[] {
  const isStopped = (decision: string): boolean => decision === 'ask' || decision === 'deny'
  return commands.filter(
    command => !isStopped(decide(command, 'ask', ['Bash(*)', 'Read(*)', 'Write(*)'])) || !isStopped(decide(command, 'none', [])),
  )
}

const CODE_OPTIONS = [
  ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'oksh', 'loksh', 'yash', 'posh', 'ash', 'hush', 'sash', 'bosh', 'brush', 'mrsh'].map(
    name => `${name} -c`,
  ),
  ...['bash-static', 'zsh-static', 'static-sh', 'sh.distrib', 'bash5', 'rbash', 'busybox sh', 'osh', 'ysh', 'elvish', 'xonsh'].map(
    name => `${name} -c`,
  ),
  ...['tcsh', 'csh', 'rc', 'es', 'ion', 'murex', 'scsh', 'nu', 'fish', 'git-shell', 'pwsh', 'powershell.exe'].map(name => `${name} -c`),
  ...['bash -lc', 'bash -eo pipefail -c', 'bash -O extglob -c', 'bash --norc -c', 'zsh --emulate sh -c', 'sh -c -e', 'bash -c --'],
  ...['nu -e', 'nu --execute', 'nu --commands', 'nu --commands=', 'fish --command', 'fish --command=', 'fish -C', 'fish --init-command='],
  ...['ngs -e', 'pwsh -Command', 'pwsh -com', 'cmd.exe /c', 'cmd /k', 'powershell -Command', 'bash -"$O"'],
]
const CARRIERS = [
  '',
  'env ',
  'timeout 5 ',
  'nobody-knows ',
  'tmux new-window ',
  'ssh h ',
  'docker exec c ',
  'find . -exec ',
  'npx ',
  'xterm -e ',
]

test('code behind an option of any shell, behind any carrier', () => {
  const codes = ["'rm -rf x'", "'ls; git push'", "'cat .env'", '"$X"']
  // Each option meets each carrier with one of the codes, and stands alone with all.
  const commands = CODE_OPTIONS.flatMap((option, at) =>
    CARRIERS.flatMap((carrier, index) =>
      (carrier === '' ? codes : [codes[(at + index) % codes.length]]).map(
        code => `${carrier}${option}${option.endsWith('=') ? '' : ' '}${code}`,
      ),
    ),
  )
  expect(letThrough(commands.filter(command => !isRemote(command)))).toEqual([])
})

/** `ssh h bash -c "a b"` runs `a` alone there. */
function isRemote(command: string): boolean {
  return command.startsWith('ssh h') && command.endsWith("'cat .env'")
}

test('code for later, and code that code is given', () => {
  const inner = ['perl -e \'system("echo x >> .env")\'', 'dash -c "cat .env"', 'python3 -c "open(\\".env\\")"', 'nu -e "rm -rf x"']
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const commands = inner.flatMap(code => [
    ...[`echo ${quote(code)} | at now`, `at now <<< ${quote(code)}`, `echo ${quote(code)} | batch`, `ssh h ${quote(code)}`],
    ...[`tmux new-session -d ${code}`, `tmux new-session -d ${quote(code)}`, `tmux neww ${code}`, `screen -dm ${code}`],
    ...[`tmux split-window -h ${code}`, `watch -x ${code}`, `su -c ${quote(code)}`, `ssh h <<< ${quote(code)}`, `script -c ${quote(code)}`],
  ])
  expect(letThrough(commands)).toEqual([])
})

test.each(['bash x.sh', 'sh -e x.sh', 'zsh --emulate sh x.sh', 'nu x.nu', "bash -c 'ls'", 'fish x.fish'])('%s is allowed', command => {
  expect(decide(command, 'ask', ['Bash(*)', 'Read(*)', 'Write(*)'])).toBe('allow')
})
