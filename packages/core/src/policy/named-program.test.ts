// A program under the name of an image, of a package or of another program that takes its place: a rule against it holds.
import { expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

function decide(command: string, deny: readonly string[], byDefault: 'ask' | 'none', allow: readonly string[] = []): string {
  const request = { tool: 'Bash', input: { command }, allow, deny: deny.map(rule => `Bash(${rule})`), default: byDefault }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

/** Those that nobody stops, with everything allowed and with nothing said. */
function letThrough(commands: readonly string[], deny: readonly string[]): readonly string[] {
  const isStopped = (decision: string): boolean => decision === 'ask' || decision === 'deny'
  return commands.filter(command => !isStopped(decide(command, deny, 'ask', ['Bash(*)'])) || !isStopped(decide(command, deny, 'none')))
}

/** `other=program`: `other` takes the words of `program`. */
const DROP_IN = [
  ...['podman=docker', 'nerdctl=docker', 'finch=docker', 'podman-remote=docker', 'docker.exe=docker', 'oc=kubectl', 'k=kubectl'],
  ...['kubecolor=kubectl', 'pip3=pip', 'pip3.12=pip', 'tofu=terraform', 'terragrunt=terraform', 'cnpm=npm', 'hub=git', 'yadm=git'],
  ...['doas=sudo', 'run0=sudo', 'sudo-rs=sudo', 'pkexec=sudo', 'gmake=make', 'bmake=make', 'wget2=wget', 'curlie=curl', 'dbclient=ssh'],
  ...['slogin=ssh', 'dcfldd=dd', 'mariadb=mysql', 'mamba=conda', 'dnf5=dnf', 'nodejs=node', 'awslocal=aws', 'cross=cargo'],
]
const VERBS: Readonly<Record<string, string>> = {
  docker: 'run a',
  kubectl: 'delete pod a',
  pip: 'install a',
  terraform: 'destroy',
  npm: 'publish',
  git: 'push',
  aws: 's3 rm s3://a',
  cargo: 'publish',
  make: 'deploy',
  conda: 'install a',
  dnf: 'remove a',
}

test('a rule against one program holds for those that take its place, and the other way round', () => {
  const wrong = DROP_IN.flatMap(pair => {
    const [other = '', program = ''] = pair.split('=')
    const words = VERBS[program] ?? 'a'
    const rule =
      VERBS[program] === undefined
        ? '*'
        : `${words
            .split(' ')
            .slice(0, words.startsWith('s3') ? 2 : 1)
            .join(' ')} *`
    return [
      ...letThrough([`${other} ${words}`, `/usr/bin/${other} ${words}`, `env ${other} ${words}`], [`${program} ${rule}`]),
      ...letThrough([`${program} ${words}`], [`${other} ${rule}`]),
    ]
  })
  expect(wrong).toEqual([])
})

test('an allow is for the program that it names', () => {
  expect(decide('podman run a', [], 'ask', ['Bash(docker *)'])).toBe('ask')
  expect(decide('doas ls', [], 'ask', ['Bash(sudo *)'])).toBe('ask')
})

const IMAGES = [
  ...['amazon/aws-cli=aws', 'amazon/aws-cli:2.1=aws', 'public.ecr.aws/aws-cli/aws-cli=aws', 'bitnami/kubectl=kubectl'],
  ...['bitnami/kubectl:1.30@sha256:0a1b=kubectl', 'hashicorp/terraform:light=terraform', 'alpine/git=git', 'localhost:5000/x/git=git'],
  ...['curlimages/curl=curl', 'alpine/helm=helm', 'registry.k8s.io/kubectl=kubectl', 'docker=docker'],
]
const LAUNCH = [
  ...['docker run', 'docker run --rm -it', 'docker run -v .:/w -w /w', 'docker container run', 'docker create', 'docker container create'],
  ...['podman run', 'podman run --rm', 'nerdctl run', 'docker service create', 'docker compose run', 'docker-compose run --rm'],
  ...['sudo docker run', 'kubectl run a --image', 'singularity run', 'apptainer exec'],
]
const PROGRAM_WORDS: Readonly<Record<string, string>> = { ...VERBS, curl: 'http://a', helm: 'uninstall a' }

test('an image named like a program may be that program', () => {
  const wrong = IMAGES.flatMap(pair => {
    const [image = '', program = ''] = pair.split('=')
    const words = PROGRAM_WORDS[program] ?? ''
    const commands = LAUNCH.map(launch =>
      launch.endsWith('--image')
        ? `${launch} ${image} -- ${words}`
        : `${launch} ${/singul|appt/.test(launch) ? 'docker://' : ''}${image} ${words}`,
    )
    const rule =
      program === 'curl'
        ? 'curl *'
        : `${program} ${words
            .split(' ')
            .slice(0, program === 'aws' ? 2 : 1)
            .join(' ')} *`
    // A rule of one word counts only where a command can start.
    return letThrough(program === 'curl' ? commands.filter(command => !/singul|appt/.test(command)) : commands, [rule])
  })
  expect(wrong).toEqual([])
})

test('a package named like a program may be that program', () => {
  const commands = [
    ...['nix run nixpkgs#git -- push', 'nix run nixpkgs#gitFull.git -- push', 'flatpak run org.x.git push', 'snap run git.git push'],
    ...['bazel run @git//:git -- push', 'go run example.com/x/cmd/git@latest push', 'pkgx git push', 'guix shell git -- git push'],
    ...['etckeeper vcs push', 'jj git push', 'pixi exec git push', 'uvx git push', 'mise exec git@2 -- git push'],
  ]
  expect(letThrough(commands, ['git push *'])).toEqual([])
  expect(letThrough(['pipx runpip a install b', 'uv pip install b', 'python3 -m pip install b'], ['pip install *'])).toEqual([])
  expect(letThrough(['kitten ssh h', 'tsh ssh h'], ['ssh *'])).toEqual([])
})

test.each([
  'docker run node:20 npm test',
  'docker run --rm alpine ls',
  'docker compose run web npm test',
  'docker run python:3 pytest',
  'ls git',
])('%s is what it says', command =>
  expect(decide(command, ['git push *', 'npm publish *', 'rm -rf *', 'curl *'], 'ask', ['Bash(*)'])).toBe('allow'),
)

test('code for the interpreter that an image is needs a rule', () => {
  for (const command of ["docker run node:20 -e 'x'", "docker run --rm node -p 'x'", "podman run perl -e 'x'"])
    expect([command, decide(command, [], 'ask', ['Bash(*)'])]).toEqual([command, 'ask'])
})
