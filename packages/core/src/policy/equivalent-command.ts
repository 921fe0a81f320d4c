// Arguments that mean the same in another spelling: `chmod a+rwx` is `chmod 777`, `git push origin +main` forces.
import { posix } from 'node:path'
import type { Word } from '../match/shell/shell-analysis.ts'
import { textWord } from '../match/shell/word.ts'
import { canonicalOperands } from './canonical-command.ts'
import { knownValue } from './normal-form.ts'

export interface Equivalent {
  readonly operands: readonly Word[]
  readonly flags: readonly string[]
}

const NOTHING: readonly Equivalent[] = []

/** Other readings of the same command; the one it has is not among them. */
export function equivalents(program: string, operands: readonly Word[], flags: readonly string[]): readonly Equivalent[] {
  switch (program) {
    case 'chmod':
      return sameMode(operands)
    case 'kill':
    case 'pkill':
    case 'killall':
      return sameSignal(operands, flags)
    case 'base64':
      return flags.includes('-D') ? [{ operands, flags: ['-d', '--decode'] }] : NOTHING
    case 'git':
      return [...forcedPush(operands, flags), ...pushedBranch(operands)]
    case 'kubectl':
      return sameKind(operands)
    case 'gcloud':
      return behindWord(operands, /^(?:alpha|beta|preview)$/)
    case 'pnpm':
      return behindWord(operands, /^(?:recursive|multi|m)$/)
    case 'yarn':
      return behindWorkspace(operands)
    case 'npm':
      return everywhere(operands, flags)
    case 'heroku':
      return joinedTopic(operands)
    case 'find':
      return flags.some(flag => /^-(?:execdir|ok|okdir)$/.test(flag)) ? [{ operands, flags: ['-exec'] }] : NOTHING
    case 'python':
    case 'node':
    case 'ruby':
    case 'php':
    case 'perl':
      return barePath(operands)
    default:
      return GOALS.has(program) ? laterGoals(operands, program === 'gradle') : NOTHING
  }
}

/** Programs that do everything they are named, one after the other. */
const GOALS: ReadonlySet<string> = new Set(
  'make rails rake gradle gradlew mvn ant just gulp grunt ninja task invoke inv fab sbt lein mage doit phing nx'.split(' '),
)

function sameMode(operands: readonly Word[]): readonly Equivalent[] {
  const mode = operands[0] === undefined ? null : knownValue(operands[0])
  if (mode === null) return NOTHING
  const octal = /^[=+]?0*[0-7]?[0-7]{3}$/.test(mode) ? mode.slice(-3) : givesEverything(mode) ? '777' : mode
  return octal === mode ? NOTHING : [{ operands: [textWord(octal), ...operands.slice(1)], flags: [] }]
}

/** `a+rwx`, `u=rwx,g=rwx,o=rwx`, `a+rw,a+x`: reading, writing and running for all. */
function givesEverything(mode: string): boolean {
  const given = new Set<string>()
  for (const clause of mode.split(',')) {
    const [, who = '', what = ''] = /^([ugoa]*)[+=]([rwxXstugo]*)$/.exec(clause) ?? []
    // `go=u` copies what the owner has.
    const rights = /^[ugo]$/.test(what) ? [...'rwx'].filter(right => given.has(what + right)) : what
    for (const one of who === '' || who.includes('a') ? 'ugo' : who) for (const right of rights) given.add(one + right)
  }
  return [...'ugo'].every(who => [...'rwx'].every(right => given.has(who + right)))
}

const SIGNALS: Readonly<Record<string, string>> = { HUP: '1', INT: '2', QUIT: '3', KILL: '9', TERM: '15', STOP: '19' }

/** `-9`, `-KILL`, `-SIGKILL`, `-s KILL`, `-n 9`, `--signal=KILL`. */
function sameSignal(operands: readonly Word[], flags: readonly string[]): readonly Equivalent[] {
  const isNamed = flags.some(flag => /^(?:-s|-n|--signal)$/.test(flag))
  const first = operands[0] === undefined ? null : knownValue(operands[0])
  const glued = flags.flatMap(flag => [/^-(\w+)$/.exec(flag)?.[1], /^(?:-[sn]|--signal=)(\w+)$/.exec(flag)?.[1]])
  const named = isNamed && first !== null ? signalNames(first) : []
  const signals = [...named, ...glued.flatMap(text => signalNames(text ?? ''))]
  const forms = signals.flatMap(signal => [`-${signal}`, `-SIG${signal}`, `-${SIGNALS[signal]}`])
  return forms.length === 0 ? NOTHING : [{ operands: named.length > 0 ? operands.slice(1) : operands, flags: forms }]
}

function signalNames(text: string): readonly string[] {
  const name = text.toUpperCase().replace(/^SIG/, '')
  return Object.keys(SIGNALS).filter(signal => signal === name || SIGNALS[signal] === name)
}

/** `gcloud beta compute ...`. */
function behindWord(operands: readonly Word[], word: RegExp): readonly Equivalent[] {
  const first = operands[0] === undefined ? null : knownValue(operands[0])
  return first !== null && word.test(first) ? [{ operands: operands.slice(1), flags: [] }] : NOTHING
}

/** `yarn workspace NAME add x`, `yarn workspaces foreach add x`. */
function behindWorkspace(operands: readonly Word[]): readonly Equivalent[] {
  const first = operands[0] === undefined ? null : knownValue(operands[0])
  return first === 'workspace' || first === 'workspaces' ? [{ operands: canonicalOperands('yarn', operands.slice(2)), flags: [] }] : NOTHING
}

/** `python ./manage.py`. */
function barePath(operands: readonly Word[]): readonly Equivalent[] {
  const script = operands[0] === undefined ? null : knownValue(operands[0])
  const plain = script === null || script.startsWith('-') ? script : posix.normalize(script)
  return plain === script || plain === null ? NOTHING : [{ operands: [textWord(plain), ...operands.slice(1)], flags: [] }]
}

/** `npm i --location=global`; what stands behind a blank is taken for it. */
function everywhere(operands: readonly Word[], flags: readonly string[]): readonly Equivalent[] {
  const isGlobal = flags.includes('--location') && !flags.some(flag => flag.startsWith('--location=') && flag !== '--location=global')
  return isGlobal ? [{ operands, flags: ['-g', '--global'] }] : NOTHING
}

/** `heroku apps destroy` is `heroku apps:destroy`. */
function joinedTopic(operands: readonly Word[]): readonly Equivalent[] {
  const [topic, verb] = operands.slice(0, 2).map(knownValue)
  if (topic == null || verb == null || topic.includes(':')) return NOTHING
  return [{ operands: canonicalOperands('heroku', [textWord(`${topic}:${verb}`), ...operands.slice(2)]), flags: [] }]
}

/** `+main` is forced, `:main` deletes, `--mirror` does both. */
function forcedPush(operands: readonly Word[], given: readonly string[]): readonly Equivalent[] {
  const values = operands.map(knownValue)
  if (values[0] !== 'push') return NOTHING
  const flags: string[] = []
  if (given.includes('--mirror')) flags.push('--force', '-f', '--delete', '-d')
  if (values.some(value => value?.startsWith('+') === true)) flags.push('--force', '-f')
  if (values.some(value => /^\+?:./.test(value ?? ''))) flags.push('--delete', '-d')
  return flags.length === 0 ? NOTHING : [{ operands, flags }]
}

/** `HEAD:main`, `+main` and `refs/heads/main` push to `main`. */
function pushedBranch(operands: readonly Word[]): readonly Equivalent[] {
  if (operands[0] === undefined || knownValue(operands[0]) !== 'push') return NOTHING
  const there = operands.map((word, at) => {
    const value = at < 2 ? null : knownValue(word)
    const branch = value?.slice(value.lastIndexOf(':') + 1).replace(/^\+?(?:refs\/heads\/)?/, '')
    return branch === undefined || branch === '' || branch === value ? word : textWord(branch)
  })
  return there.every((word, at) => word === operands[at]) ? NOTHING : [{ operands: there, flags: [] }]
}

/** Short names of what kubectl keeps. */
const KINDS: ReadonlyMap<string, string> = new Map(
  'ns=namespace po=pod svc=service deploy=deployment cm=configmap sts=statefulset ds=daemonset pvc=persistentvolumeclaim pv=persistentvolume sa=serviceaccount ing=ingress no=node cj=cronjob rs=replicaset crd=customresourcedefinition sc=storageclass netpol=networkpolicy hpa=horizontalpodautoscaler'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
)

/** `kubectl delete ns x`, `namespaces x`, `namespace/x`, `pods,secrets`: each kind by one name and by many. */
function sameKind(operands: readonly Word[]): readonly Equivalent[] {
  const given = operands[1] === undefined ? null : knownValue(operands[1])
  if (given === null || !/^[\w,./-]+$/.test(given)) return NOTHING
  const kinds = given
    .split(',')
    .slice(0, MAX_GOALS)
    .map(kind => kind.replace(/[/.].*$/s, ''))
  const names = kinds.flatMap(kind => {
    const one = KINDS.get(kind) ?? kind.replace(/s$/, '')
    return [one, `${one}s`]
  })
  return [...new Set(names)]
    .filter(name => name !== given)
    .map(name => ({ operands: [...operands.slice(0, 1), textWord(name), ...operands.slice(2)], flags: [] }))
}

const MAX_GOALS = 8

/** Every goal is made, in whatever place it stands; settings stand between them. */
function laterGoals(operands: readonly Word[], hasProjects: boolean): readonly Equivalent[] {
  const later = operands.slice(1, MAX_GOALS).map((_, index) => ({ operands: operands.slice(index + 1), flags: [] }))
  return hasProjects ? [...later, ...ownGoals(operands)] : later
}

/** `gradle :a:publish` publishes a part of the project. */
function ownGoals(operands: readonly Word[]): readonly Equivalent[] {
  return operands.slice(0, MAX_GOALS).flatMap((word, index) => {
    const goal = knownValue(word)
    return goal?.includes(':')
      ? [{ operands: [textWord(goal.slice(goal.lastIndexOf(':') + 1)), ...operands.slice(index + 1)], flags: [] }]
      : []
  })
}
