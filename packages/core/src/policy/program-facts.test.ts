import { expect, test } from 'vitest'
import { type Command, factsOf } from '../match/shell/table/facts.ts'
import { programFacts } from '../match/shell/table/program-facts.ts'
import { decideBatchLine } from './decide-batch.ts'

/** One call under a policy that allows everything but what `deny` names. */
function decide(command: string, deny: readonly string[], allow: readonly string[] = ['Bash(*)']): string {
  return (JSON.parse(decideBatchLine(JSON.stringify({ tool: 'Bash', input: { command }, allow, deny }))) as { decision: string }).decision
}

interface Named {
  readonly program: string
  readonly alias: string
  readonly path: string
}

/** Every other name of every sub-command. */
function everyAlias(): Named[] {
  const found: Named[] = []
  const visit = (program: string, command: Command, names: readonly string[]): void => {
    for (const [name, child] of command.children) {
      const alias = [...names, name].join(' ')
      const path = child.path.join(' ')
      if (alias !== path) found.push({ program, alias, path })
      if (names.length < 2) visit(program, child, [...names, name])
    }
  }
  for (const program of Object.keys(programFacts)) {
    const root = factsOf(program)
    if (root !== undefined) visit(program, root, [])
  }
  return found
}

test('a rule for a sub-command holds for its aliases, and the other way round', () => {
  const aliases = everyAlias()
  expect(aliases.length).toBeGreaterThan(400)
  const wrong = aliases.filter(({ program, alias, path }) => {
    if (/[^\w .:+-]/.test(alias + path)) return false
    const isForbidden = decide(`${program} ${alias} x`, [`Bash(${program} ${path} *)`]) === 'deny'
    const isForbiddenBack = decide(`${program} ${path} x`, [`Bash(${program} ${alias} *)`]) === 'deny'
    return !isForbidden || !isForbiddenBack
  })
  expect(wrong).toEqual([])
})

/** Programs with one sub-command that a rule may forbid. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ...['git push', 'git stash drop', 'docker run', 'docker compose down', 'docker volume rm', 'kubectl delete', 'kubectl rollout undo'],
  ...['helm uninstall', 'npm publish', 'npm run deploy', 'pnpm publish', 'yarn publish', 'cargo publish', 'pip install', 'gh pr merge'],
  ...['aws s3 rm', 'aws ec2 terminate-instances', 'gcloud compute instances delete', 'az group delete', 'terraform destroy', 'podman run'],
  ...['vercel remove', 'wrangler delete', 'heroku apps:destroy', 'firebase deploy', 'poetry publish', 'uv publish', 'twine upload'],
  ...['nobody-knows deploy', 'some tool remove all', 'fly apps destroy', 'pulumi destroy', 'prisma migrate reset', 'rails db:drop'],
].map(text => {
  const at = text.indexOf(' ')
  return [text.slice(0, at), text.slice(at + 1)] as const
})

test('what stands behind an option that nobody knows may be its value, at every level', () => {
  const wrong: string[] = []
  for (const [program, path] of FORBIDDEN) {
    const words = path.split(' ')
    for (const option of ['--nobody-knows', '--zz', '-Z', '-qZ']) {
      for (let at = 0; at < words.length; at++) {
        const command = [program, ...words.slice(0, at), option, 'value', ...words.slice(at), 'x'].join(' ')
        const twice = [program, option, 'value', ...words.slice(0, at), option, 'other', ...words.slice(at), 'x'].join(' ')
        for (const text of [command, twice]) if (decide(text, [`Bash(${program} ${path} *)`]) === 'allow') wrong.push(text)
      }
    }
  }
  expect(wrong).toEqual([])
})

test.each([
  ['npm --access public publish', 'npm publish *', 'deny'],
  ['npm --force true publish', 'npm publish *', 'ask'],
  ['npm installTest', 'npm install-test *', 'deny'],
  ['npm it', 'npm install *', 'ask'],
  ['npm run --workspace p deploy', 'npm run deploy *', 'deny'],
  ['docker -Dl debug run a', 'docker run *', 'deny'],
  ['docker-compose -f x down', 'docker compose down *', 'deny'],
  ['docker compose down', 'docker-compose down *', 'deny'],
  ['gh pr --repo o/r merge 1', 'gh pr merge *', 'deny'],
  ['cargo +nightly publish', 'cargo publish *', 'deny'],
  ['pip3.11 install a', 'pip install *', 'deny'],
  ['pip install a', 'pip3 install *', 'deny'],
  ['/usr/lib/git-core/git-push origin', 'git push *', 'deny'],
  ['/usr/lib/git-core/git-send-pack origin', 'git push *', 'ask'],
  ['git subtree push --prefix=a origin main', 'git push *', 'ask'],
  ['git reset --h HEAD', 'git reset --hard *', 'ask'],
  ['tar xf a', 'tar -x *', 'deny'],
  ['tar --get -f a', 'tar -x *', 'deny'],
  ['tar -xf a', 'tar xf *', 'deny'],
  ['base64 --dec x', 'base64 -d *', 'ask'],
  ['git push --forc', '* --force', 'deny'],
  ['npm i --force a', '* --force', 'deny'],
  ['helm un r', 'helm uninstall *', 'deny'],
  ['helm uninst r', 'helm uninstall *', 'ask'],
  ['terraform apply -destroy', 'terraform destroy *', 'ask'],
])('%s under a deny of %s: %s', (command, rule, expected) => {
  expect(decide(command, [`Bash(${rule})`])).toBe(expected)
})

test.each([
  ['npm i x', 'npm install *'],
  ['npm install x', 'npm i *'],
  ['npm t', 'npm test *'],
  ['docker container ls', 'docker ps *'],
  ['cargo b --release', 'cargo build *'],
  ['pip3 list', 'pip list *'],
])('%s is covered by an allow of %s', (command, rule) => {
  expect(decide(command, [], [`Bash(${rule})`])).toBe('allow')
})

test.each([
  ['git log --oneline -n 5 --author push', 'git push *'],
  ['npm run build --workspace publish', 'npm publish *'],
  ['docker ps --filter name=run', 'docker run *'],
  ['kubectl get pods -n delete', 'kubectl delete *'],
  ['gh pr list --label merge', 'gh pr merge *'],
  ['pip list --format json', 'pip install *'],
])('%s is still allowed beside a deny of %s', (command, rule) => {
  expect(decide(command, [`Bash(${rule})`])).toBe('allow')
})
