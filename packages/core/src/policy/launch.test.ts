import { expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const DENY = ['rm -rf *', 'git push *', 'curl *', 'npm publish *', 'sudo *', 'docker run *', 'prisma migrate reset *'].map(
  rule => `Bash(${rule})`,
)

function decide(command: string, more: object = {}): string {
  const request = { tool: 'Bash', input: { command }, allow: ['Bash(*)', 'Read(*)', 'Write(*)'], deny: DENY, ...more }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

const LAUNCHERS = [
  ...['npx', 'npx --yes', 'npx -p node@20', 'npm exec --', 'npm x --', 'npm exe --', 'pnpm', 'pnpm exec', 'pnpm dlx', 'yarn', 'yarn run'],
  ...['yarn exec', 'yarn dlx', 'yarn workspace a exec', 'bun x', 'bunx', 'bun run', 'uv run', 'uv run --with a', 'uvx', 'uv tool run'],
  ...[
    'poetry run',
    'poetry run --',
    'pipenv run',
    'pdm run',
    'hatch run',
    'rye run',
    'conda run',
    'conda run -n a',
    'mamba run',
    'pixi run',
  ],
  ...['bundle exec', 'bundle exe', 'rbenv exec', 'pyenv exec', 'mise exec --', 'asdf exec', 'volta run', 'nvm exec 20', 'direnv exec .'],
  ...['dotenv --', 'dotenvx run --', 'doppler run --', 'op run --', 'infisical run --', 'aws-vault exec p --', 'heroku run', 'railway run'],
  ...['docker exec c', 'docker container exec c', 'docker compose exec s', 'docker-compose exec s', 'podman exec c', 'kubectl exec p --'],
  ...[
    'lerna exec --',
    'nx exec --',
    'foreman run',
    'firejail',
    'fakeroot',
    'tini --',
    'gosu u',
    'nobody-knows',
    'nobody-knows --flag x --',
    'nobody-knows A=1 B=2',
    'nobody-knows env',
    'nobody-knows timeout -k 1 5s',
    'nobody-knows nice -n 5 nohup',
  ],
  ...['landrun --ro /usr', 'srt', 'nono run', 'bwrap --ro-bind / /', 'xterm -e', 'adb shell', 'salt "*" cmd.run', 'systemd-run --user'],
]
const CODE = [
  ...["bash -c 'export LD_PRELOAD=./x.so; ls'", "sh -c 'GCONV_PATH=/tmp ls'", "bash -c 'declare -x PATH=/tmp; ls'"],
  ...['python -c x', 'python3 -c x', 'python3.11 -c x', 'node -e x', 'nodejs -p x', 'tsx -e x', 'ts-node -e x', 'ruby -e x', 'perl -e x'],
  ...['php -r x', 'deno eval x', 'bun -e x', 'guile -c x', 'racket -e x', 'coffee -e x', 'sbcl --eval x', 'octave --eval x', 'swift -e x'],
]

test('code that needs a rule alone needs one behind every launcher', () => {
  const wrong: string[] = []
  for (const launcher of LAUNCHERS) {
    for (const code of CODE) {
      const command = `${launcher} ${code}`
      if (decide(command) === 'allow') wrong.push(command)
    }
  }
  expect(wrong).toEqual([])
})

test('a rule that names launcher and option covers the code', () => {
  const allow = ['Bash(uv run python -c *)', 'Bash(npx tsx -e *)']
  expect(decide('uv run python -c x', { allow, deny: [] })).toBe('allow')
  expect(decide('npx tsx -e x', { allow, deny: [] })).toBe('allow')
  expect(decide('uv run python -c x', { allow: ['Bash(uv run *)'], deny: [] })).toBe('ask')
})

const FORBIDDEN = ['rm -rf x', 'git push', "sh -c 'cd /; rm -rf x'", 'bash -lc "git push origin"', 'npm --access public publish']

test('a forbidden program without arguments behind any launcher is stopped, under every default', () => {
  const wrong: string[] = []
  for (const launcher of LAUNCHERS) {
    for (const byDefault of ['ask', 'none']) {
      const command = `${launcher} evil`
      if (decide(command, { allow: ['Bash(*)'], deny: ['Bash(evil *)'], default: byDefault }) === 'allow')
        wrong.push(`${byDefault}: ${command}`)
    }
  }
  expect(wrong).toEqual([])
})

test.each([
  'apt install evil',
  'grep evil a',
  'brew install evil',
  'brew install watch evil',
  'ls evil',
  'git add evil',
  'npm install evil',
  'which evil',
  'tsc evil',
])('its name alone is not a command: %s', command => expect(decide(command, { allow: ['Bash(*)'], deny: ['Bash(evil *)'] })).toBe('allow'))

test('a forbidden command behind any launcher is stopped, under every default', () => {
  const wrong: string[] = []
  for (const launcher of LAUNCHERS) {
    for (const forbidden of FORBIDDEN) {
      const command = `${launcher} ${forbidden}`
      if (decide(command) === 'allow') wrong.push(command)
      if (decide(command, { allow: [], default: 'none' }) === 'allow') wrong.push(`none: ${command}`)
    }
  }
  expect(wrong).toEqual([])
})

test.each([
  ['npx npm@latest publish', 'deny'],
  ['npx prisma@5 migrate reset', 'deny'],
  ['bunx prisma@latest migrate reset', 'deny'],
  ['pipx run npm==1 publish', 'deny'],
  ['python3 -mpip install a', 'allow'],
  ['hash -p /bin/rm ls; ls -rf x', 'ask'],
  ['enable -f ./x.so ls; ls', 'ask'],
  ["complete -C 'rm -rf x' y", 'deny'],
  ['node --secure-heap 1 -e x', 'ask'],
  ['node --nobody-knows x -e y', 'ask'],
  ['node --nobody-knows x y.js', 'allow'],
  ['NODE_OPTIONS=--max-old-space-size=4096 node x.js', 'allow'],
  ["NODE_OPTIONS='--require ./x.js' node x.js", 'ask'],
  ['git for-each-repo --config=a push', 'ask'],
  ['npm test --prefix /tmp/evil', 'ask'],
  ['npm run lint --prefix=../evil', 'ask'],
  ['make test -C /tmp/evil', 'ask'],
  ['go test /tmp/evil', 'ask'],
  ['go test ./...', 'allow'],
  ['make -C packages/a test', 'allow'],
  ['npm --prefix packages/a ci', 'allow'],
  ['pytest tests/unit', 'allow'],
])('%s: %s', (command, expected) => {
  expect(decide(command)).toBe(expected)
})

test.each([
  ['foo -e \'os.system("rm -rf x")\''],
  ['python3 -c \'import subprocess; subprocess.run(["rm","-rf","x"])\''],
  ["make --eval 'x:;rm -rf y'"],
  ["GIT_SSH_COMMAND='rm -rf x' git fetch"],
  ['perl -e \'system("git push")\''],
  ["make --eval='$(shell curl http://a)'"],
  ['awk -f- f <<< \'BEGIN{system("rm -rf x")}\''],
  ['echo \'import os; os.system("rm -rf x")\' | python3'],
  ["crontab - <<< '* * * * * rm -rf x'"],
])('%s carries a forbidden command and asks where nothing else speaks', command => {
  expect(decide(command, { allow: [], default: 'none' })).toBe('ask')
})

test('a program by another case is another program only where the disk tells them apart', () => {
  const ctx = { caseInsensitiveFs: true, platform: 'darwin' }
  for (const command of ['RM -rf x', '/bin/RM -rf x', 'Git push', "SH -c 'rm -rf x'"]) expect(decide(command, { ctx })).not.toBe('allow')
  expect(decide('RM -rf x')).toBe('allow')
})

test.each([
  ['chmod 0777 x', 'chmod 777 *'],
  ['chmod a+rwx x', 'chmod 777 *'],
  ['chmod ugo=rwx x', 'chmod 777 *'],
  ['chmod u=rwx,g=rwx,o=rwx x', 'chmod 777 *'],
  ['git push origin +main', 'git push --force *'],
  ['git push origin :main', 'git push --delete *'],
  ['make build deploy', 'make deploy *'],
  ['make X=1 deploy', 'make deploy *'],
  ['make -j deploy', 'make deploy *'],
  ["psql <<< 'DROP TABLE x'", 'psql *DROP*'],
  ["echo 'DROP TABLE x' | psql", 'psql *DROP*'],
])('%s is what %s forbids', (command, rule) => {
  expect(decide(command, { deny: [`Bash(${rule})`] })).toBe('deny')
})
