// Self-protection against whoever ends or holds many processes at once: services, sessions of users and of terminals, control groups, the system
// itself. Where Belay's process may live in one of them a person is asked; what bears Belay's own name is refused.
import { withoutEnd } from '../../value/without-end.ts'
import type { Word } from '../shell/shell-analysis.ts'
import { nameMatches, patternTokens } from './name-pattern.ts'
import { OWN_WORD, type ProcessContext, readDaemon, readProcess } from './own-process.ts'
import type { Protection } from './protect-path.ts'

/** They keep services of the whole system, or all that a user runs. */
const SYSTEM_KEEPERS: ReadonlySet<string> = new Set(['systemctl', 'launchctl', 'loginctl', 'machinectl'])
/** They keep what they are told to keep; ours may be among it. */
const SERVICE_KEEPERS: ReadonlySet<string> = new Set(
  (
    'service rc-service initctl invoke-rc.d sv svc s6-svc s6-rc s6-svscanctl dinitctl nssm supervisorctl pm2 forever monit god eye circusctl bluepill ' +
    'brew chkconfig update-rc.d rc-update sysv-rc-conf'
  ).split(' '),
)
const SERVICE_ENDS =
  /^(?:stop|kill|disable|mask|restart|try-restart|isolate|exit|freeze|unload|bootout|remove|delete|set-property|terminate(?:-.*)?|kill-.*)$/
/** Verbs that only keepers of their own kind have. */
const KEEPER_ENDS =
  /^(?:down|shutdown|quit|abort|reload|force-(?:stop|restart|reload|shutdown)|stop-?all|restart-?all|kill-?all|graceful|once|pause|unmonitor|zap|del|off|release)$/
/** `svc -d x`, `s6-rc -d change x`: what is not up, once or on. */
const ENDS_BY_LETTER: ReadonlyMap<string, RegExp> = new Map([
  ['svc', /^-[a-zA-Z]*[dpahitkx]/],
  ['s6-svc', /^-[a-zA-Z]*[dpahitkxrqDX]/],
  ['s6-rc', /^-[a-zA-Z]*[dp]/],
  ['s6-svscanctl', /^-/],
])
const COMES_BACK = /^(?:force-)?re(?:start|load)(?:-?all)?$/
/** What stands for all that is kept. */
const ALL = /^(?:all|--all|-a|-[a-zA-Z]*a)$/
/** They need no name. */
const ENDS_ALL =
  /^(?:exit|halt|poweroff|reboot|soft-reboot|kexec|rescue|emergency|suspend|hibernate|hybrid-sleep|terminate-.*|kill-(?:user|session))$/
/** Units that hold all that a user, or a session, has started; a domain of launchctl. */
const HOLDS_OTHERS =
  /^(?:user(?:-\d+|@.*)?(?:\.(?:slice|service))?|session-.*|.*\.slice|.*\.scope|(?:gui|user|login|system)(?:\/\d+)?\/?|(?:rescue|emergency|exit|shutdown|reboot|poweroff)\.target)$/
const BUS_CALLERS: ReadonlySet<string> = new Set(['busctl', 'dbus-send', 'gdbus', 'qdbus'])
const BUS_ENDS =
  /(?:^|\.)(?:Stop|Kill|Exit|Terminate|Restart|TryRestart|Freeze|Reboot|PowerOff|Halt|KExec|Isolate|SetUnitProperties|SetProperties|MaskUnit|Disable)\w*$/
const SYSTEM_ENDS: ReadonlySet<string> = new Set(
  'shutdown reboot poweroff halt telinit rc-shutdown runit-init slay userdel deluser kexec pm-suspend pm-hibernate'.split(' '),
)
/** Of these only some words end anything. */
const ENDS_BY_WORD: ReadonlyMap<string, RegExp> = new Map([
  ['init', /^[0-6sS]$/],
  ['openrc', /^(?:shutdown|reboot|single|nonetwork|off|halt|poweroff)$/],
  ['rtcwake', /^(?:standby|freeze|mem|disk|off)$|^(?:-m|--mode=)(?:standby|freeze|mem|disk|off)$/],
])
/** It writes below /proc/sys: `sysctl kernel.pid_max=301`, `sysctl -p x.conf`. */
const SETS_SYSTEM = /=|^(?:-[a-zA-Z]*[wp]|--(?:write|load.*|system))$/
const GROUP_KEEPERS: ReadonlySet<string> = new Set(['cgset', 'cgdelete', 'cgclassify', 'cgrulesengd'])
const MULTIPLEXERS: ReadonlySet<string> = new Set(['tmux', 'byobu', 'screen', 'zellij', 'dtach', 'abduco'])
const SERVICES = ['belay', 'belayd', 'belay.service', 'belayd.service', 'mentu', 'com.belay.daemon']

export function protectService(program: string, words: readonly Word[], context: ProcessContext): Protection | null {
  if (SYSTEM_KEEPERS.has(program)) return protectKept(program, words)
  if (SERVICE_KEEPERS.has(program)) return protectSupervised(program, words)
  if (MULTIPLEXERS.has(program)) return protectMultiplexer(program, words, context)
  if (BUS_CALLERS.has(program)) return protectBus(program, words)
  if (GROUP_KEEPERS.has(program)) return { decision: 'ask', reason: `${program} holds or limits processes, Belay's may be among them` }
  const ends = ENDS_BY_WORD.get(program)
  if (ends !== undefined && words.slice(1).some(({ value }) => value === null || ends.test(value))) return endsAll(program)
  if (program === 'sysctl' && words.slice(1).some(({ value, source }) => SETS_SYSTEM.test(value ?? source)))
    return { decision: 'ask', reason: 'sysctl changes limits of the whole system, under which Belay runs too' }
  return SYSTEM_ENDS.has(program) && !words.some(({ value }) => LOOKS.test(value ?? '')) ? endsAll(program) : null
}

/** What systemctl and loginctl do, said to the system itself. */
function protectBus(program: string, words: readonly Word[]): Protection | null {
  const isOfSystem = words.some(({ value }) => /freedesktop\.(?:systemd1|login1)/.test(value ?? ''))
  return isOfSystem && words.some(({ value }) => value === null || BUS_ENDS.test(value)) ? endsAll(program) : null
}

const LOOKS = /^(?:-c|--help|--version|--wtmp-only|-w)$/

function endsAll(what: string): Protection {
  return { decision: 'ask', reason: `${what} ends every process of a user or a session, Belay's may be among them` }
}

function protectKept(program: string, words: readonly Word[]): Protection | null {
  const all = words.find(({ value }) => ENDS_ALL.test(value ?? ''))
  if (!words.some(word => SERVICE_ENDS.test(word.value ?? ''))) return all === undefined ? null : endsAll(`${program} ${all.source}`)
  const named = protectNamed(words)
  if (named !== null) return named
  const holder = all ?? words.slice(1).find(({ value }) => program === 'machinectl' || HOLDS_OTHERS.test(value ?? ''))
  return holder === undefined ? null : endsAll(`${program} ${holder.source}`)
}

function protectNamed(words: readonly Word[]): Protection | null {
  const found = words.slice(1).find(word => word.value === null || OWN_WORD.test(word.value) || mayBeService(word))
  if (found === undefined) return null
  return found.value !== null && OWN_WORD.test(found.value)
    ? { decision: 'deny', reason: "agents may not stop Belay's service" }
    : { decision: 'ask', reason: `${found.source} may be Belay's service` }
}

/** `pm2 stop all`, `supervisorctl shutdown`, `sv down x`: who names no service means all of them. */
function protectSupervised(program: string, words: readonly Word[]): Protection | null {
  const values = words.slice(1).map(({ value }) => value ?? '')
  const letters = ENDS_BY_LETTER.get(program)
  const isVerb = (value: string): boolean => SERVICE_ENDS.test(value) || (program !== 'brew' && KEEPER_ENDS.test(value))
  const isEnded = values.some(value => (letters === undefined ? isVerb(value) : letters.test(value)))
  if (!isEnded) return null
  const named = protectNamed(words)
  if (named !== null) return named
  const names = values.filter(value => !value.startsWith('-') && !isVerb(value) && value !== 'services' && value !== 'change')
  // What is restarted comes back.
  if (values.some(value => COMES_BACK.test(value))) return null
  const isAll = names.length === 0 || program === 's6-svscanctl' || values.some(value => ALL.test(value))
  return isAll && !(program === 'brew' && !values.includes('services')) ? endsAll(words.map(({ source }) => source).join(' ')) : null
}

/** systemctl reads globs itself; others are given folders of services. */
function mayBeService({ value }: Word): boolean {
  const text = withoutEnd(value ?? '', '/').replace(/^.*\//, '')
  if (!/[*?[]/.test(text)) return false
  const tokens = patternTokens(text, false)
  return SERVICES.some(name => nameMatches(tokens, name))
}

/** A beginning that no other command has is enough for tmux: `tmux kill-ser`. */
const ENDS_SERVER = /^(?:kill-se(?:r(?:v(?:er?)?)?)?|kill-all-sessions|delete-all-sessions|ka|da)$/
const ENDS_PART =
  /^(?:kill-(?:s(?:e(?:s(?:s(?:i(?:on?)?)?)?)?)?|p(?:a(?:ne?)?)?|w(?:i(?:n(?:d(?:ow?)?)?)?)?)|killp|killw|respawn-.*|respawn[pw]|quit|kill|delete-session|k)$/

/** Of a session that has a name, only where the daemon stands below a multiplexer; the one around us holds the agent, and what started it. */
function protectMultiplexer(program: string, words: readonly Word[], context: ProcessContext): Protection | null {
  const values = words.slice(1).map(({ value }) => value ?? '')
  const server = values.find(value => ENDS_SERVER.test(value))
  if (server !== undefined) return endsAll(`${program} ${server}`)
  const part = values.find(value => ENDS_PART.test(value))
  if (part === undefined) return null
  const isNamed = program === 'zellij' || values.some(value => /^-(?:t|S|-session)/.test(value))
  const isTurned = program !== 'screen' && values.some(value => /^-[a-zA-Z]*a/.test(value))
  return isNamed && !isTurned && !livesInMultiplexer(context) ? null : endsAll(`${program} ${part}`)
}

/** More parents than anybody has. */
const MAX_PARENTS = 40

function livesInMultiplexer(context: ProcessContext): boolean {
  let pid = readDaemon(context).pid
  for (let left = MAX_PARENTS; pid !== null && pid > 1 && left > 0; left--) {
    const facts = readProcess(pid, context)
    if (/^(?:tmux|screen|zellij|dtach|abduco)/i.test(facts?.name ?? '')) return true
    pid = facts?.parent ?? null
  }
  return false
}
