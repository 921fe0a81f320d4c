// Ways by which programs come to run, read or write what a rule denies: each class is made of every spelling in its list.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const DENY = ['Bash(rm -rf *)', 'Bash(deploy *)', 'Read(.env*)', 'Write(.env*)']

function decide(command: string, byDefault: 'ask' | 'none' = 'ask'): string {
  // Without an allow rule a call that nobody speaks of is left to the agent, which a batch calls `allow`.
  const allow = byDefault === 'ask' ? ['Bash(*)', 'Read(*)', 'Write(*)'] : []
  const line = JSON.stringify({ tool: 'Bash', input: { command }, allow, deny: DENY, default: byDefault })
  return (JSON.parse(decideBatchLine(line)) as { decision: string }).decision
}

const launchers = [
  'mise exec node@20 --',
  'cargo watch --',
  'nix shell x -c',
  'nix develop -c',
  'nix develop . --command',
  'austin',
  'n exec 20',
  'samply record',
  'uftrace record',
  'runc exec c',
  'ctr tasks exec --exec-id x c',
  'podman unshare',
  'buildah unshare',
  'buildah run c',
  'lima',
  'apptainer exec x.sif',
  'singularity exec x.sif',
  'railway ssh',
  'tsh ssh h',
  'tailscale ssh h',
  'tcpsvd 0 1',
  'ip vrf exec n',
  'nodemon -x',
]

describe.each(launchers)('%s', launcher => {
  test.each(['deploy prod', "sh -c 'cd /tmp; rm -rf x'", 'cat .env'])('%s behind it', command => {
    expect(decide(`${launcher} ${command}`)).not.toBe('allow')
    expect(decide(`${launcher} ${command}`, 'none')).not.toBe('allow')
  })

  test('harmless behind it', () => expect(decide(`${launcher} ls src`, 'none')).toBe('allow'))
})

const shells = ['poetry shell', 'pipenv shell', 'hatch shell', 'nix-shell', 'nix develop', 'nix shell x']

test.each(shells)('%s takes commands from standard input', shell => {
  expect(decide(`${shell} <<< 'rm -rf x'`)).not.toBe('allow')
  expect(decide(shell, 'none')).toBe('allow')
})

const reckoned = ['a=([x]=1)', 'b+=([x]=1)', 'declare -a b=([x]=1)', 'RANDOM=x', 'OPTIND=x', 'export RANDOM=x', 'HISTCMD=x']

test.each(reckoned)('%s reckons what x holds', setting => {
  expect(decide(`x='a[$(rm -rf y)]'; ${setting}`)).not.toBe('allow')
  expect(decide(`x=1; ${setting}; ls`, 'none')).toBe('allow')
})

test.each([
  "RANDOM='a[$(rm -rf y)]'",
  "read OPTIND <<< 'a[$(rm -rf y)]'",
  "strace -o '|rm -rf x' ls",
  "mlr --prepipe 'rm -rf x' cat y",
  "deno task --eval 'rm -rf x'",
  'deno run -A data:text/javascript,x',
  'gcc -fplugin=/tmp/x.so x.c',
  "echo 'x: rm -rf x' > Procfile; foreman start",
  "printf '[testenv]\\ncommands=rm -rf x' > tox.ini; tox",
])('%s runs what is denied, or code that nobody vouches for', command => expect(decide(command)).not.toBe('allow'))

test.each([
  'gh release download --pattern .env',
  'parallel --joblog .env echo ::: a',
  'parallel --results=.env echo ::: a',
  'less --log-file=.env x',
  'git apply --include=.env p',
  "git -c credential.helper='store --file=.env' fetch",
  'find . -samefile .env -exec cat {} +',
  'ln -sr .env /tmp/x; cat /tmp/x',
  'rg -uuu . --iglob .ENV',
  "rg -. x -g '*env'",
  "grep -r . --include='*nv' .",
  'prisma init',
  'npx convex dev',
  'php artisan key:generate',
  'python -m dotenv list',
  'python3 -m dotenv set A 1',
  'dotenv -f .env set A 1',
  'heroku local:run env',
])('%s reads or writes a kept file', command => {
  expect(decide(command)).not.toBe('allow')
  expect(decide(command, 'none')).not.toBe('allow')
})

test.each([
  'cargo watch -x test',
  'npx prisma migrate dev --name init',
  "nodemon -x 'npm run build'",
  "concurrently 'npm:dev' 'npm:watch'",
  'run-s lint test',
  'node --run build',
  'RANDOM=42; echo $RANDOM',
  'a=([0]=x [1]=y); echo "${a[@]}"',
  'git -c alias.st=status st',
  'terragrunt run-all plan',
  'docker build -t app .',
  'kubectl apply -f x',
  'php artisan migrate',
  "rg x -g '*env'",
  "grep -r x --include='*.ts' src",
  'gh release download --pattern app.tgz',
  'GOOS=linux GOARCH=arm64 go build ./...',
  'RUST_LOG=debug cargo run',
  'strace -o trace.txt ls',
])('%s stays free', command => expect(decide(command)).toBe('allow'))
