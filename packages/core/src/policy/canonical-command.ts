// One spelling for what programs take in several: `npm i` is `npm install`, `docker container run` is `docker run`,
// `git-push` is `git push`, `tar xf` is `tar -xf`. Rules and commands are brought to it alike.

import { spend } from '../match/shell/meter.ts'
import type { Word } from '../match/shell/shell-analysis.ts'
import { beginning, type Command, factsOf } from '../match/shell/table/facts.ts'
import { findProgram } from '../match/shell/table/find-program.ts'
import { otherName } from '../match/shell/table/other-name.ts'
import { type OptionUse, readOptions } from '../match/shell/table/program.ts'
import { textWord } from '../match/shell/word.ts'
import { isFlag } from './flag-set.ts'
import { IMPLIED } from './implied-act.ts'
import { knownValue } from './normal-form.ts'

/** The same program under another name. */
const PROGRAMS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    'pip3=pip python3=python python2=python pypy=python pypy3=python nodejs=node yarnpkg=yarn gmake=make bsdtar=tar mawk=awk nawk=awk',
    'docker.io=docker vc=vercel py=python firebase-tools=firebase netlify-cli=netlify opentofu=tofu hub=git flyctl=fly',
    'docker-compose=docker,compose podman-compose=podman,compose nerdctl-compose=nerdctl,compose docker-buildx=docker,buildx kubectl.docker=kubectl',
  ].flatMap(row =>
    row.split(' ').map((pair): [string, readonly string[]] => {
      const [name = '', other = ''] = pair.split('=')
      return [name, other.split(',')]
    }),
  ),
)
/** Programs that do the same under another name: a rule against one is a rule against the other, and an allow is for the one it names. */
const RELATED: ReadonlyMap<string, readonly string[]> = new Map(
  (
    'npx=npm,exec pnpx=pnpm,dlx bunx=bun,x netcat=nc ncat=nc nc.openbsd=nc nc.traditional=nc slogin=ssh bundler=bundle sls=serverless ntl=netlify ' +
    'mke2fs=mkfs mkdosfs=mkfs mkntfs=mkfs mariadb=mysql mysqlsh=mysql mycli=mysql pgcli=psql valkey-cli=redis-cli mongo=mongosh dotnet-ef=dotnet,ef ' +
    'sudoedit=sudo,-e sudo-rs=sudo sudo.ws=sudo podman-remote=docker yum=dnf dnf5=dnf microdnf=dnf tdnf=dnf microk8s.kubectl=kubectl k3s-kubectl=kubectl ' +
    'minikube-kubectl=kubectl mamba=conda micromamba=conda mvnw=mvn gradlew=gradle artisan=php,artisan manage.py=python,manage.py django-admin=python,manage.py ' +
    'django=python,manage.py rake=rails go-task=task aws-cdk=cdk composer.phar=composer awsv2=aws pip._internal=pip apt-get=apt aptitude=apt nala=apt ' +
    'ipython=python awscli=aws awslocal=aws azure-cli=az eas-cli=eas k=kubectl kubecolor=kubectl wget2=wget autossh=ssh ssh-copy-id=ssh ' +
    'mosh=ssh sshfs=ssh bmake=make remake=make colormake=make apt-fast=apt cross=cargo terragrunt=terraform tf=terraform tofu=terraform cinst=choco,install yay=pacman paru=pacman nuget=dotnet,nuget mvnd=mvn ' +
    'console=php,bin/console keydb-cli=redis-cli sqlite=sqlite3 litecli=sqlite3 pn=pnpm jgem=gem gotip=go rbash=bash ' +
    'gpg2=gpg iptables-legacy=iptables iptables-nft=iptables ip6tables=iptables gsudo=sudo vi=vim nvim=vim ' +
    'npm-run-all=npm,run npm-run-all2=npm,run run-s=npm,run run-p=npm,run ' +
    'podman=docker nerdctl=docker nerdctl.lima=docker finch=docker com.docker.cli=docker oc=kubectl cnpm=npm tnpm=npm yadm=git curlie=curl wcurl=curl curl-impersonate=curl dbclient=ssh plink=ssh ' +
    'unlink=rm doas=sudo run0=sudo pkexec=sudo pfexec=sudo dzdo=sudo dcfldd=dd dc3dd=dd srm=rm pmake=make mingw32-make=make tinygo=go jruby=ruby jython=python micropython=python'
  )
    .split(' ')
    .map((pair): [string, readonly string[]] => {
      const [name = '', other = ''] = pair.split('=')
      return [name, other.split(',')]
    }),
)
/** `mkfs.ext4` lies beside `mkfs`, which only calls it. */
const FILE_SYSTEM = /^(mkfs|fsck|u?mount)\.\w+$/
/** Of Windows. */
const ENDING = /\.(?:exe|cmd|bat)$/
/** The file that an interpreter is given is a program of its own: npm's own, one of a package, composer's, one where programs lie. */
const ENTRY =
  /(?:^|\/)(npm|npx|pnpm|yarn|corepack)(?:(?:-cli|-[\d.]+)?\.[cm]?js)?$|node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)(?:\/[^/]+)*$|(?:^|\/)(composer)\.phar$|\/s?bin\/([^/.]+)$/

const VERSIONED =
  /^(python|pypy|pip|node|perl|ruby|php|lua|gcc|clang|bundle|gem|irb|rake|psql|helm|kubectl|aws|mysql|mariadb|conda|terraform|dnf|go|cargo|cpan|bash)[-\d.]+$/
/** `git-push` lies beside git as a program of its own. */
const JOINED = /^(git|cargo|docker|kubectl)-(.+)$/
/** Their first word may be a bundle of options without its dash. */
const BUNDLING: ReadonlySet<string> = new Set(['tar', 'jar', 'ar'])

/** What they are may depend on their first word. */
const TAKES_FIRST: ReadonlySet<string> = new Set([
  ...['node', 'bun', 'deno', 'php', 'python', 'ruby', 'perl', 'cargo', 'service', 'invoke-rc.d', 'rc-service'],
  ...BUNDLING,
])

export interface Respelling {
  readonly head: readonly string[]
  /** How many words of the command `head` stands for. */
  readonly length: number
}

/** Under the names of the program, and under that of the file which it runs. `given`: the words after the program that are known. */
export function respellings(program: string, given: readonly string[]): readonly Respelling[] {
  if (!mayBeOther(program)) return NO_OTHER
  const named = respell(program, given)
  const tool = named?.length === 1 ? (named.head[0] ?? '') : program
  const entry = RUNS_ENTRY.has(tool) ? findEntry(tool, given) : null
  return [...(named === null ? [] : [named]), ...(entry === null ? [] : [entry])]
}

const NO_OTHER: readonly Respelling[] = []

/** By the names of the program alone. `isExact`: only other names of the very same program. */
export function respell(program: string, given: readonly string[], isExact = false): Respelling | null {
  if (!mayBeOther(program)) return null
  if (!isExact && SERVICE_CALLERS.has(program)) return calledService(given)
  const [first] = given
  const name = program.replace(ENDING, '')
  const base = VERSIONED.exec(name)?.[1] ?? name
  const other = otherName(base)
  const exact = PROGRAMS.get(base) ?? (other === undefined ? undefined : [other])
  const head = isExact ? (exact ?? joined(base) ?? [base]) : relatedHead(exact ?? joined(base) ?? [base])
  const tool = head[0] ?? ''
  if (head.length === 1 && BUNDLING.has(tool) && first !== undefined && /^[A-Za-z]+$/.test(first)) {
    return { head: [tool, `-${first}`], length: 2 }
  }
  if (tool === 'cargo' && head.length === 1 && first?.startsWith('+') === true) return { head, length: 2 }
  return head.length === 1 && tool === program ? null : { head, length: 1 }
}

/** `service x stop` is `systemctl stop x`. */
const SERVICE_CALLERS: ReadonlySet<string> = new Set(['service', 'invoke-rc.d', 'rc-service'])

function calledService(given: readonly string[]): Respelling | null {
  const at = given.findIndex(word => !isFlag(word))
  const [name, verb] = at < 0 ? [] : given.slice(at, at + 2)
  return name === undefined || verb === undefined ? null : { head: ['systemctl', verb, name], length: at + 3 }
}

const RUNS_ENTRY: ReadonlySet<string> = new Set(['node', 'bun', 'deno', 'php', 'python', 'ruby', 'perl'])

/** More options than this stand before no file that people run. */
const MAX_BEFORE_ENTRY = 16

/** `node --no-warnings --import x npm-cli.js publish`: the file that is run, behind the interpreter's own options and their values. */
function findEntry(program: string, given: readonly string[]): Respelling | null {
  for (let at = 0; at < Math.min(given.length, MAX_BEFORE_ENTRY); at++) {
    const word = given[at] ?? ''
    // `node --run deploy` runs a script of the package.
    if (program === 'node' && word === '--run') return { head: ['npm', 'run'], length: at + 2 }
    if (isFlag(word)) {
      if (takesNext(program, word)) at++
      continue
    }
    const entry = ENTRY.exec(word)
    if (entry !== null) {
      const name = entry[1] ?? entry[2] ?? entry[3] ?? entry[4] ?? ''
      return { head: respell(name, [])?.head ?? [name], length: at + 2 }
    }
    // It may be the value of an option that no table knows, or a verb (`deno run`).
    const before = given[at - 1] ?? ''
    if (!(isFlag(before) && !before.includes('=')) && !/^(?:run|serve|watch)$/.test(word)) return null
  }
  return null
}

function takesNext(program: string, option: string): boolean {
  const use = readOptions(findProgram(program)?.options ?? '').byName.get(option)?.use
  return use !== undefined && !VALUELESS.has(use)
}

const VALUELESS: ReadonlySet<OptionUse> = new Set<OptionUse>(['flag', 'maybe', 'digits', 'danger', 'env-file'])

/** `podman-compose up` is `podman compose up`, which is `docker compose up`. */
function relatedHead(head: readonly string[]): readonly string[] {
  const [name = '', ...rest] = head
  const other = related(name)
  return other === undefined ? head : [...other, ...rest]
}

function related(name: string): readonly string[] | undefined {
  return RELATED.get(name) ?? FILE_SYSTEM.exec(name)?.slice(1)
}

function joined(name: string): readonly string[] | undefined {
  const [, program = '', verb = ''] = JOINED.exec(name) ?? []
  return program !== '' && factsOf(program)?.children.has(verb) === true ? [program, verb] : undefined
}

/** The same, also by the words behind it. */
export function mayBeOther(name: string): boolean {
  return mayBeRespelled(name) || TAKES_FIRST.has(name)
}

/** Whether a program of this name may have another. One look tells for most words. */
export function mayBeRespelled(name: string): boolean {
  return OTHER_NAMES.has(name) || otherName(name) !== undefined || (ODD_NAME.test(name) && SPELLED.test(name))
}

const OTHER_NAMES: ReadonlySet<string> = new Set([...PROGRAMS.keys(), ...RELATED.keys()])
/** One look tells for most names that the other pattern does not fit. */
const ODD_NAME = /[-.\d]/

const SPELLED = new RegExp(`^(?:git|cargo|docker|kubectl)-|${FILE_SYSTEM.source}|${ENDING.source}|${VERSIONED.source}`)

/** Whether rules and commands of this program may have a canonical spelling other than their own. */
export function mayBeSpelled(program: string): boolean {
  return mayBeOther(program) || factsOf(program) !== undefined
}

/** Literal words of a rule in the canonical spelling, or null where it is the one they have. */
export function canonicalRule(words: readonly string[], isAllow: boolean): readonly string[] | null {
  const [named = '', ...given] = words
  const respelled = isAllow ? respell(named, given, true) : (respellings(named, given).at(-1) ?? null)
  const spelled = respelled === null ? words : [...respelled.head, ...words.slice(respelled.length)]
  const [program = '', ...rest] = spelled
  const operands = rest.filter(word => !isFlag(word))
  const found = findVerbs(factsOf(program), operands)
  const canonical = found === null || isCanonical(found, operands) ? spelled : [program, ...replaceVerbs(rest, found)]
  return canonical === words ? null : canonical
}

interface FoundVerbs {
  readonly command: Command
  /** How many operands name it. */
  readonly count: number
}

/** For allow rules: leading words alone, and only what the program itself says; null where nothing changes. */
export function canonicalWords(words: readonly Word[]): readonly Word[] | null {
  const program = words[0] === undefined ? null : knownValue(words[0])
  if (program === null) return null
  const head = SAME_PROGRAMS.has(program) ? PROGRAMS.get(program) : undefined
  const name = head?.[0] ?? program
  if (head === undefined && factsOf(name)?.isSure !== true) return null
  const spelled = head === undefined ? words : [...head.map(name => textWord(name)), ...words.slice(1)]
  const given = spelled.slice(1)
  const operands = factsOf(name)?.isSure === true ? canonicalOperands(name, given) : given
  return operands === given && head === undefined ? null : [...spelled.slice(0, 1), ...operands]
}

/** A rule that trusts one of them trusts the other. */
const SAME_PROGRAMS: ReadonlySet<string> = new Set(['pip3', 'python3', 'nodejs', 'yarnpkg', 'gmake', 'docker-compose', 'podman-compose'])

function findVerbs(root: Command | undefined, operands: readonly (string | null)[]): FoundVerbs | null {
  let command = root
  let count = 0
  for (const operand of operands) {
    const child = operand === null ? undefined : command?.child(operand)
    if (child === undefined) break
    command = child
    count++
  }
  return command === undefined || count === 0 ? null : { command, count }
}

function isCanonical({ command: { path }, count }: FoundVerbs, operands: readonly (string | null)[]): boolean {
  return path.length === count && path.every((name, index) => operands[index] === name)
}

function replaceVerbs(rest: readonly string[], { command, count }: FoundVerbs): readonly string[] {
  let left = count
  const others = rest.filter(word => isFlag(word) || left-- <= 0)
  return [...command.path, ...others]
}

/** No program has sub-commands of sub-commands deeper than this. */
const MAX_VERBS = 8

/** Operands with the sub-command in its canonical spelling; the same list where it has it. */
export function canonicalOperands(program: string, operands: readonly Word[]): readonly Word[] {
  const root = factsOf(program)
  if (root === undefined || root.children.size === 0) return operands
  // Verbs stand first; there may be thousands of operands behind them.
  const values = operands.slice(0, MAX_VERBS).map(knownValue)
  const found = findVerbs(root, values)
  if (found === null || isCanonical(found, values)) return operands
  return [...found.command.path.map(name => textWord(name)), ...operands.slice(found.count)]
}

/** The programs of these. */
const IMPLYING: ReadonlySet<string> = new Set([...IMPLIED.keys()].map(key => key.split(' ', 1)[0] ?? ''))

/** Other commands that this one may be: cut-short names, and what it does besides. */
export function possibleOperands(
  program: string,
  operands: readonly Word[],
  { flags, settings }: GivenOptions,
): readonly (readonly Word[])[] {
  const values = operands.slice(0, 4).map(knownValue)
  return [...impliedOperands(program, operands, { values, flags, settings }), ...completedOperands(program, operands, values)]
}

export interface GivenOptions {
  readonly flags: readonly string[]
  /** Words that are certainly values of these. */
  readonly settings: readonly Word[]
}

interface Given extends GivenOptions {
  readonly values: readonly (string | null)[]
}

function impliedOperands(program: string, operands: readonly Word[], { values, flags, settings }: Given): readonly (readonly Word[])[] {
  const found: (readonly Word[])[] = []
  const byDefault = program === 'yarn' && values.length > 0 ? 'run' : DEFAULT_VERB.get(program)
  if (byDefault !== undefined && !isVerb(program, values[0])) found.push([textWord(byDefault), ...operands])
  if (program === 'gh' && values[0] === 'api' && changesSomething(flags, settings)) found.push(...addressedActs(operands))
  if (!IMPLYING.has(program)) return found
  // `cargo watch -x 'publish --dry-run'`.
  if (program === 'cargo' && values[0] === 'watch')
    found.push(...operands.slice(1, MAX_VERBS).map(word => pathWords(knownValue(word) ?? '')))
  for (const count of [1, 2, 3]) {
    if (values.length < count) break
    const implied = IMPLIED.get(`${program} ${values.slice(0, count).join(' ')}`)
    if (implied === undefined || (implied.isWithMore && values.length === count)) continue
    if (implied.option !== undefined && !hasOption(flags, implied.option)) continue
    for (const path of implied.verbs) found.push([...pathWords(path), ...operands.slice(count)])
  }
  return found
}

function hasOption(flags: readonly string[], name: string): boolean {
  return flags.includes(`-${name}`) || flags.includes(`--${name}`)
}

/** `gh api -X PUT repos/o/r/pulls/1/merge` is `gh pr merge`: what the address is about, and what is done there. */
const ACTS: readonly (readonly [RegExp, string])[] = [
  [/\/pulls\/[^/]+\/merge$/, 'pr merge'],
  [/\/pulls$/, 'pr create'],
  [/\/pulls\/[^/]+$/, 'pr close'],
  [/\/pulls\/[^/]+\/reviews$/, 'pr review'],
  [/\/issues$/, 'issue create'],
  [/\/issues\/[^/]+$/, 'issue close'],
  [/\/releases$/, 'release create'],
  [/\/releases\/[^/]+$/, 'release delete'],
  [/^\/?repos\/[^/]+\/[^/]+$/, 'repo delete'],
  [/\/(?:actions|codespaces|dependabot)\/secrets\/[^/]+$/, 'secret set'],
  [/\/(?:actions|codespaces|dependabot)\/secrets\/[^/]+$/, 'secret delete'],
  [/\/actions\/variables(?:\/[^/]+)?$/, 'variable set'],
  [/\/dispatches$/, 'workflow run'],
]

/** A request that only reads has neither a method nor fields, or says that it does (`-XGET`, `--method GET`). */
function changesSomething(flags: readonly string[], settings: readonly Word[]): boolean {
  if (flags.some(flag => /^(?:-X|--method=)(?:GET|HEAD)$/.test(flag))) return false
  if (settings.some(({ value }) => value === 'GET' || value === 'HEAD')) return false
  return flags.some(flag => /^(?:-[XfF]|--(?:method|field|raw-field|input))/.test(flag))
}

function addressedActs(operands: readonly Word[]): readonly (readonly Word[])[] {
  const texts = operands.slice(1, MAX_ADDRESS).flatMap(word => knownValue(word) ?? [])
  return ACTS.filter(([pattern]) => texts.some(text => pattern.test(text.replace(/[?#].*$/s, '')))).map(([, act]) => [
    ...pathWords(act),
    ...operands.slice(1),
  ])
}

/** The address stands among the first words. */
const MAX_ADDRESS = 12

/** What they do where no sub-command is named. */
const DEFAULT_VERB: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bundle: 'install',
    vercel: 'deploy',
    yarn: 'install',
    deno: 'run',
    bun: 'run',
    netlify: 'deploy',
    'aws-vault': 'exec',
    pnpm: 'run',
    turbo: 'run',
  }),
)

function isVerb(program: string, word: string | null | undefined): boolean {
  return word != null && factsOf(program)?.child(word) !== undefined
}

function pathWords(path: string): readonly Word[] {
  return path === '' ? [] : path.split(' ').map(word => textWord(word))
}

const MAX_COMPLETED = 8

/** `helm un x`: many programs take the beginning of a name. */
function completedOperands(program: string, operands: readonly Word[], values: readonly (string | null)[]): readonly (readonly Word[])[] {
  const root = factsOf(program)
  if (root === undefined || root.children.size === 0) return []
  const { command, count } = findVerbs(root, values) ?? { command: root, count: 0 }
  const word = values[count] ?? null
  if (word === null || command.children.size === 0 || !/^[a-zA-Z][\w:-]*$/.test(word)) return []
  spend(command.children.size)
  return beginning(command, word)
    .slice(0, MAX_COMPLETED)
    .map(({ path }) => [...path.map(name => textWord(name)), ...operands.slice(count + 1)])
}
