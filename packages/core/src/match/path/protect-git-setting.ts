// Settings of git that decide which hooks it runs by itself: where it looks for them, and which other files it takes settings from. To set one,
// for good or for one command, a person must agree; so he must where a program or code is set for good that git starts in his own terminal too.
// To look one up is free.
import type { EnvAssignment, Word } from '../shell/shell-analysis.ts'
import { dropText, leadingText } from '../shell/word.ts'
import type { Protection } from './protect-path.ts'

const SETTING = /^(?:core\.hookspath|include\.path|includeif\..*\.path|init\.templatedir)$/i
const SECTION = /^(?:core|include|includeif|init)(?:\.|$)/i
const LOOKS = /^(?:get|list|get-all|get-regexp|get-urlmatch|-l|--(?:get.*|list|name-only|show-origin|show-scope))$/
const REMOVES = /^(?:unset|--unset.*)$/
const MOVES_SECTION = /^(?:--)?(?:remove|rename)-section$/

export function protectGitSetting(words: readonly Word[], assignments: readonly EnvAssignment[]): Protection | null {
  const found =
    words.findLast((word, at) => at > 0 && isGiven(word, words[at - 1])) ?? settingOf(words) ?? assignments.find(leadsElsewhere)?.value
  return found === undefined ? null : { decision: 'ask', reason: `${found.source} decides which hooks git runs by itself` }
}

const EXPORTS = /^(?:export|setenv|declare|typeset|readonly)$/

/** `export GIT_CONFIG_GLOBAL=x`: every git that follows. */
export function protectGitExport(program: string, words: readonly Word[]): Protection | null {
  if (!EXPORTS.test(program)) return null
  const assignments = words.flatMap(word => {
    const [head = '', name = ''] = /^(\w+)=/.exec(leadingText(word)) ?? []
    return name.startsWith('GIT_') ? [{ name, value: dropText(word, head.length) }] : []
  })
  return assignments.length === 0 ? null : protectGitSetting([], assignments)
}

/** `git -c core.hooksPath=x commit`, `--config-env=include.path=X`. */
function isGiven(word: Word, before: Word | undefined): boolean {
  const text = leadingText(word).replace(/^(?:-c|--config(?:-env)?=)/, '')
  const isOption = text !== leadingText(word) || /^(?:-c|--config(?:-env)?)$/.test(before?.value ?? '')
  return isOption && SETTING.test(text.replace(/=.*/s, ''))
}

/** Of `git config`: the word that names the setting, where something is set. A name that nobody knows may be one of these. */
function settingOf(words: readonly Word[]): Word | undefined {
  const at = words.findIndex(({ value }) => value === 'config')
  const given = words.slice(at + 1)
  const values = given.map(({ value }) => value ?? '')
  if (at < 1 || values.some(value => LOOKS.test(value))) return undefined
  const edits = given.find(({ value }) => /^(?:-e|--edit|edit)$/.test(value ?? ''))
  if (edits !== undefined) return edits
  if (values.some(value => MOVES_SECTION.test(value))) return given.find(({ value }) => SECTION.test(value ?? ''))
  const plain = given.filter((word, index) => !leadingText(word).startsWith('-') && !VALUED.test(given[index - 1]?.value ?? ''))
  const [key, ...rest] = /^(?:set|unset)$/.test(plain[0]?.value ?? '') ? plain.slice(1) : plain
  const sets = rest.length > 0 || values.some(value => REMOVES.test(value))
  if (key === undefined || !sets) return undefined
  if (key.value === null || SETTING.test(key.value)) return key
  return EXECUTES.test(key.value) && rest.some(isCommand) ? key : undefined
}

/** git, and so whatever asks git, starts what these say: a person's prompt as well. */
const EXECUTES =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)|sequence\.editor|alias\..*|pager\..*|credential\.(?:.*\.)?helper|diff\.(?:external|.*\.(?:command|textconv))|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|(?:diff|merge)tool\..*\.(?:cmd|path)|gpg\.(?:.*\.)?(?:program|defaultkeycommand)|interactive\.difffilter|trailer\..*\.(?:command|cmd)|submodule\..*\.update|remote\..*\.(?:uploadpack|receivepack|vcs)|uploadpack\.packobjectshook|browser\..*\.cmd|man\..*\.cmd|sendemail\.(?:smtpserver|tocmd|cccmd)|protocol\.ext\.allow)$/i

/** A program that lies somewhere, or code; the name of a program alone, with its words, is one that a person installed. */
function isCommand(word: Word): boolean {
  if (word.value === null) return true
  const text = word.value.replace(/^!\s*/, '')
  return /[;|&`<>]|\$\(/.test(text) || STARTS_CODE.test(text) || (/^[^\s=]*[/~$]/.test(text) && !INSTALLED.test(text)) || text === 'always'
}

const STARTS_CODE = /^(?:\S+=\S*\s+)*(?:env|exec|eval|sh|bash|zsh|dash|python\S*|node|perl|ruby)\s/
const INSTALLED = /^\/(?:usr|bin|opt|snap|Applications)\//

const VALUED = /^-(?:f|t|-(?:file|blob|type|default|comment|value))$/

/** Settings handed over in variables. */
function leadsElsewhere({ name, value: { value } }: EnvAssignment): boolean {
  if (/^GIT_CONFIG_KEY_\d+$/.test(name)) return value === null || SETTING.test(value)
  if (name === 'GIT_CONFIG_PARAMETERS') return value === null || /hookspath|include|templatedir/i.test(value)
  return /^(?:GIT_CONFIG(?:_GLOBAL|_SYSTEM)?|GIT_TEMPLATE_DIR)$/.test(name) && value !== '/dev/null' && value !== ''
}
