// The same command under another name, with another option, or carried as a list: a rule against the one holds the other.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

function decide(command: string, deny: readonly string[], allow: readonly string[] = ['Bash(*)', 'Read(*)', 'Write(*)']): string {
  return (JSON.parse(decideBatchLine(JSON.stringify({ tool: 'Bash', input: { command }, allow, deny }))) as { decision: string }).decision
}

/** What is denied, and what does the same. */
const same: readonly (readonly [string, readonly string[]])[] = [
  ['git add *', ['git stage x']],
  [
    'npm run deploy *',
    [
      'node --run deploy',
      'node --no-warnings --run deploy',
      'run-s deploy',
      'npx npm-run-all deploy',
      'concurrently npm:deploy',
      'run-p build deploy',
      "npm-run-all lint -p 'dep*' test",
    ],
  ],
  ['npm dist-tag add *', ['npm dist-tag set a', 'npm dist-tags add a']],
  ['yarn publish *', ['yarn workspaces foreach -A npm publish', 'node .yarn/releases/yarn-4.0.0.cjs publish']],
  ['yarn add *', ['yarn global add a']],
  ['bun install *', ['bun add a', 'bun a a']],
  ['composer require *', ['composer global require a']],
  [
    'cargo publish *',
    ['cargo ws publish', 'cargo hack publish', 'cargo release publish', 'cargo watch -x publish', "cargo watch -x 'publish -q'"],
  ],
  [
    'docker push *',
    [
      'docker build --push .',
      'docker buildx build --push .',
      'docker compose push',
      'docker buildx bake --push',
      'docker compose build --push a',
    ],
  ],
  [
    'terraform destroy *',
    ['terragrunt run-all destroy', 'terragrunt run --all -- destroy', 'terragrunt destroy-all', 'tfenv exec destroy'],
  ],
  [
    'git push *',
    ['git subrepo push a', 'git stree push a', 'git flow publish', 'git flow feature publish x', 'git annex sync', 'git town sync'],
  ],
  ['git reset --hard *', ['git -c alias.r=reset r --hard', 'git -c ALIAS.r=reset R -q --hard']],
  ['rm -rf *', ["git -c 'alias.x=!rm' x -rf y"]],
  [
    'aws s3 rm *',
    [
      'aws s3api delete-object --bucket a',
      'aws --region x s3api delete-objects',
      'aws s3 rb s3://a --force',
      'aws s3 mv s3://a b',
      'aws s3 sync a s3://b --delete',
      'aws.cmd s3 rm s3://a',
    ],
  ],
  ['kubectl delete *', ['kubectl apply --prune -f x']],
  ['kill -9 *', ['kill -sigkill 1', 'kill -sKILL 1']],
  ['mount *', ['mount.nfs a b']],
  ['gpg --export-secret-keys *', ['gpg2 --export-secret-keys a']],
  ['iptables *', ['ip6tables -F', 'iptables-legacy -F', 'iptables-nft -F']],
  ['vim *', ['vi a', 'nvim a']],
  ['go install *', ['go1.22 install a', 'gotip install a']],
  ['cabal install *', ['cabal v2-install a']],
  ['opam install *', ['opam inst a']],
  ['nomad job stop *', ['nomad stop a']],
  ['pacman -S *', ['yay -S a']],
  ['bash -c *', ['rbash -c ls']],
  ['git push origin main *', ['git push origin HEAD:main', 'git push origin +main', 'git push origin refs/heads/main']],
  ['kubectl delete namespace *', ['kubectl delete ns x', 'kubectl delete namespaces x', 'kubectl delete namespace/x']],
  ['kubectl get secrets *', ['kubectl get secret x', 'kubectl get pods,secrets']],
  ['pnpm run deploy *', ['pnpm deploy']],
  ['yarn run deploy *', ['yarn deploy']],
  ['git remote remove *', ['git remote rm origin']],
  ['yarn publish *', ['yarn npm publish']],
  ['pnpm add *', ['pnpm i a', 'pnpm install a']],
  ['pnpm dlx *', ['pnpx a']],
  ['bunx *', ['bun x a']],
  ['npm exec *', ['npx a', 'npm x a']],
  ['npx *', ['npm exec a']],
  ['deno run *', ['deno x.ts', 'deno -A x.ts']],
  ['composer require *', ['composer r a', 'composer req a', 'php composer.phar require a']],
  ['gradle publish *', ['gradle :a:publish', 'gradle publi', './gradlew publish']],
  ['php artisan migrate:fresh *', ['php artisan mig:fr', './artisan migrate:fresh']],
  ['python manage.py flush *', ['./manage.py flush', 'django-admin flush', 'python src/../manage.py flush', 'python -m django flush']],
  ['rails console *', ['rails c']],
  ['podman run *', ['podman container run a', 'podman-remote run a']],
  ['docker build *', ['docker buildx build .', 'docker buildx b .']],
  ['pulumi destroy *', ['pulumi down', 'pulumi dn']],
  ['gh pr create *', ['gh pr new']],
  ['gh secret delete *', ['gh secret remove A']],
  ['glab mr merge *', ['glab mr accept 1', 'glab merge-request merge 1']],
  ['dnf remove *', ['dnf rm a', 'dnf erase a', 'yum remove a', 'dnf5 remove a']],
  ['heroku apps:destroy *', ['heroku destroy', 'heroku apps:delete', 'heroku apps destroy']],
  ['doctl compute droplet delete *', ['doctl compute droplet rm 1', 'doctl compute d delete 1']],
  ['vercel deploy *', ['vercel', 'vercel --prod']],
  ['bundle install *', ['bundle', 'bundler install']],
  ['npm install -g *', ['npm i --location=global a', 'npm i --location global a']],
  ['npm publish *', ['node /usr/lib/node_modules/npm/bin/npm-cli.js publish']],
  ['dpkg --purge *', ['dpkg -P a']],
  ['rpm -e *', ['rpm --erase a']],
  ['chmod 777 *', ['chmod =777 x', 'chmod u=rwx,go=u x']],
  ['nc *', ['ncat a 1', 'nc.openbsd a 1']],
  ['mkfs *', ['mkfs.ext4 /dev/sda', '/sbin/mkfs.xfs /dev/sda']],
  ['task deploy *', ['task build deploy', 'go-task deploy']],
  [
    'psql *DROP*',
    [
      "psql -c 'drop table x'",
      "psql -c'drop table x'",
      "psql -qc'Drop table x'",
      "psql --command='drop table x'",
      "psql16 -c 'DROP TABLE x'",
    ],
  ],
  ['redis-cli FLUSHALL *', ['redis-cli flushall', 'redis-cli -p 1 FlushAll']],
  ['rm -rf *', ['foo \'["rm","-rf","x"]\'', "foo 'rm,-rf,x'", 'foo @rm -rf x', 'foo -c "r\'m\' -rf x"', "foo 'rm${IFS}-rf${IFS}x'"]],
]

describe.each(same)('%s', (rule, commands) => {
  test.each(commands)('%s', command => {
    expect(decide(command, [`Bash(${rule})`])).toMatch(/^(?:ask|deny)$/)
  })
})

/** Values of options that no table describes. */
test.each([
  ...['vitest run --outputFile=.env', 'node --cpu-prof --cpu-prof-name=.env x', 'go test -test.coverprofile=.env', 'mvn -l .env x'],
  ...['pytest --html=.env', 'rspec -f json -o.env', 'mocha -O output=.env', 'npm --cache .env i', 'gcc --output=.env x'],
  ...['foo -f.env', 'foo .env:/x', 'foo type=bind,source=/repo/.env', 'foo x,.env', 'foo .en[v]', 'foo .e*', "foo -c 'cat .env'"],
  ...['foo --key=~/.ssh/id_rsa', 'foo ~dev/.ssh/id_rsa', 'cd ~/.ssh && foo id_rsa', 'ansible all --key-file=~/.ssh/id_rsa -m ping'],
])('%s asks about a kept file', command => {
  expect(decide(command, ['Read(.env*)', 'Write(.env*)', 'Read(~/.ssh/**)', 'Write(~/.ssh/**)'])).toMatch(/^(?:ask|deny)$/)
})

test.each([
  ...[
    'vitest run --outputFile=out.json',
    'grep -r --exclude=.env TODO src',
    "git commit -m 'read .env first'",
    'foo src/*.ts',
    'foo *.md',
    "git log -S'.env' --oneline",
  ],
  ...["foo 'a, b'", 'rails c', 'npm i --location=project a', 'python manage.py check', 'npx eslint .'],
])('%s is allowed', command => {
  expect(
    decide(command, ['Bash(rm -rf *)', 'Bash(npm install -g *)', 'Bash(python manage.py flush *)', 'Read(.env*)', 'Write(.env*)']),
  ).toBe('allow')
})

test('an allow is for the program that it names', () => {
  expect(decide('python manage.py flush', [], ['Bash(django-admin *)'])).not.toBe('allow')
  expect(decide('mysql x', [], ['Bash(mariadb *)'])).not.toBe('allow')
})

test.each(['docker run -v ~:/h a', 'docker run -v /:/h a', 'podman run --mount type=bind,source=/home/dev,target=/h a'])(
  '%s gives away the home directory',
  command => expect(decide(command, ['Read(~/.ssh/**)'])).not.toBe('allow'),
)

test.each(['claude --dangerously-skip-permissions -p x', 'codex exec --yolo x', 'gemini -y -p x'])(
  '%s starts an agent without its guard',
  command => {
    expect(decide(command, ['Bash(rm -rf *)'])).not.toBe('allow')
  },
)

/** A rule that names the program does not speak of what its options run; a label of sed ends at a blank. */
test.each([
  ["npm -c 'rm -rf x' exec", 'npm *'],
  ["npm --call='rm -rf x' x", 'npm *'],
  ["sed ':a e rm -rf x' f", '*'],
  ["sed -e 'ta e rm -rf x' -e ':a' f", '*'],
  ["tmux send-keys -t w r 'm -rf x' Enter", '*'],
  ['tmux paste-buffer -t w', '*'],
  ["python3 -m cProfile -m timeit 'import os'", '*'],
])('%s under %s', (command, allow) => {
  expect(decide(command, ['Bash(rm -rf *)'], [`Bash(${allow})`])).toMatch(/^(?:ask|deny)$/)
})
