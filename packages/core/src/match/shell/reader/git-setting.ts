// Settings of git that name programs: `-c key=value`, `git config key value`.
import { type Call, notCovered, runInner, splitWords, touchArgument } from '../call.ts'
import { runCode } from '../nested-code.ts'
import { parseOptions } from '../parse-options.ts'
import type { Word } from '../shell-analysis.ts'
import { gitKeyKind } from '../table/git-table.ts'
import { dropText, joinWords, leadingText, textWord } from '../word.ts'

/** `key=value` as one word. */
export function runGitSetting(call: Call, setting: Word, by: string): void {
  const text = leadingText(setting)
  const equals = text.indexOf('=')
  if (equals < 0 && setting.value === null) {
    notCovered(call, `${by} sets a key that is only known at run time`)
    return
  }
  const key = equals < 0 ? text : text.slice(0, equals)
  const kind = gitKeyKind(key)
  if (kind === 'leads-to-code') notCovered(call, `${key} leads git to code elsewhere`)
  if (kind === 'command' && equals >= 0) runSettingValue(call, key, dropText(setting, equals + 1), `${by} ${key}`)
}

function runSettingValue(call: Call, key: string, value: Word, by: string): void {
  const text = leadingText(value)
  if (value.value !== null && /^(?:|true|false|yes|no|on|off|0|1|auto|never|always)$/i.test(value.value)) return
  const isAlias = /^alias\./i.test(key)
  const given = isAlias ? behindAlias(call, key) : []
  if (isAlias && !text.startsWith('!')) {
    runInner(call, { words: [textWord('git'), ...splitWords(value), ...given], behind: by })
    return
  }
  if (/^credential\b/i.test(key) && !/^[!/~]/.test(text)) {
    runInner(call, { words: splitWords(joinWords([textWord('git'), textWord(`credential-${text}`)])), behind: by, role: 'deny-only' })
    return
  }
  const command = text.startsWith('!') ? dropText(value, 1) : value
  const code = given.length === 0 ? command : joinWords([command, ...given])
  runCode(call.walk, { code, span: call.unit.span, by }, { ...call.place, behind: [...call.place.behind, by] })
}

/** `git -c alias.r=reset r --hard`: what is given to the alias stands behind what it is for. */
function behindAlias({ words }: Call, key: string): readonly Word[] {
  const name = key.slice('alias.'.length).toLowerCase()
  const at = words.findIndex((word, index) => index > 0 && word.value?.toLowerCase() === name)
  return at < 0 ? [] : words.slice(at + 1)
}

const KEY = /^GIT_CONFIG_KEY_(\d+)$/

/** `GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p`, `GIT_CONFIG_PARAMETERS="'alias.p=push'" git p`: what `-c` would set. */
export function runGitVariables(call: Call): void {
  const { gitVariables } = call.walk
  // What such a setting runs is not run by it once more: of itself an alias says nothing new.
  if (gitVariables === null || call.place.behind.some(name => name.startsWith('GIT_CONFIG_'))) return
  for (const [name, keys] of gitVariables) {
    const [, number] = KEY.exec(name) ?? []
    if (number === undefined) continue
    for (const key of keys)
      for (const value of gitVariables.get(`GIT_CONFIG_VALUE_${number}`) ?? []) runGitSetting(call, settingOf(key, value), name)
  }
  for (const given of gitVariables.get('GIT_CONFIG_PARAMETERS') ?? []) runParameters(call, given)
}

function settingOf(key: Word, value: Word): Word {
  const isKnown = key.value !== null && value.value !== null
  return isKnown ? textWord(`${key.value}=${value.value}`, value.source) : joinWords([key, textWord('='), value])
}

/** `'key=value' 'key'='value'`. */
function runParameters(call: Call, { value, source }: Word): void {
  if (value === null) notCovered(call, 'GIT_CONFIG_PARAMETERS sets what is only known at run time')
  for (const [, key = '', setting] of (value ?? '').slice(0, MAX_PARAMETERS).matchAll(/'([^']*)'(?:='([^']*)')?/g))
    runGitSetting(call, textWord(setting === undefined ? key : `${key}=${setting}`, source), 'GIT_CONFIG_PARAMETERS')
}

const MAX_PARAMETERS = 4096

const CONFIG =
  '-f,--file:read --blob:value --type,-t:value --default:value --comment:value --value:value --url:value -e,--edit:danger --global --system --local --worktree --get --get-all --get-regexp --add --unset --unset-all --remove-section --rename-section --replace-all -l,--list -z --name-only --show-origin --show-scope --all --fixed-value'
const VERBS = new Set(['get', 'set', 'list', 'unset', 'rename-section', 'remove-section', 'edit'])

/** `git config key`, `get`, `list`: everything else changes the file. */
function onlyLooks(verb: string | null | undefined, operands: readonly Word[], options: readonly string[]): boolean {
  if (verb === 'get' || verb === 'list') return true
  if (verb !== undefined) return false
  if (options.some(name => /^--(?:get|list)|^-l$/.test(name))) return true
  return operands.length < 2 && !options.some(name => /^--(?:unset|edit|remove-section|rename-section)|^-e$/.test(name))
}

/** `git config [set] key value` stores a setting; with a key only it reads one. */
export function readGitConfigVerb(call: Call, _program: unknown, from: number): null {
  const parsed = parseOptions({ options: CONFIG }, call.words, from)
  if (parsed.options.some(option => option.use === 'danger')) notCovered(call, 'git config --edit opens an editor')
  const operands = parsed.operands.map(index => call.words[index] as Word)
  const verb = VERBS.has(operands[0]?.value ?? '') ? operands.shift()?.value : undefined
  const isLooking = onlyLooks(
    verb,
    operands,
    parsed.options.map(({ name }) => name),
  )
  for (const { use, value: file } of parsed.options) {
    if (use !== 'read' || !file) continue
    touchArgument(call, 'read', file, 'deny-only')
    if (!isLooking) touchArgument(call, 'write', file, 'deny-only')
  }
  const [key, value] = operands
  if (verb === 'edit') notCovered(call, 'git config edit opens an editor')
  if (
    !key ||
    !value ||
    verb === 'get' ||
    parsed.options.some(option => option.name.startsWith('--get') || option.name.startsWith('--unset'))
  )
    return null
  if (key.value === null) notCovered(call, 'git config sets a key that is only known at run time')
  else if (gitKeyKind(key.value) !== 'data') {
    notCovered(call, `git config stores ${key.value}, which git runs later`)
    if (gitKeyKind(key.value) === 'command') runSettingValue(call, key.value, value, `git config ${key.value}`)
  }
  return null
}
