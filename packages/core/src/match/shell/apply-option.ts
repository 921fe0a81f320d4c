// What options do: files they touch, commands they start, code they hold.
import { posix } from 'node:path'
import { fillDirectory, isMakingArchive, isOutside, isStream } from './argument-file.ts'
import { type Call, notCovered, runInner, splitWords, touchArgument } from './call.ts'
import { runCode } from './nested-code.ts'
import type { ParsedArguments, ParsedOption } from './parse-options.ts'
import { runGitSetting } from './reader/git-setting.ts'
import { mountPlace } from './reader/mount.ts'
import { readSedScript } from './reader/sed-script.ts'
import { startsProgram } from './reader/statement.ts'
import type { Word } from './shell-analysis.ts'
import type { Place } from './walk.ts'
import { dropText, leadingText, textWord } from './word.ts'

/** Returns the place for what comes after: `-C dir` moves it. */
export function applyOption(call: Call, option: ParsedOption, parsed: ParsedArguments): Place {
  const { value, written } = option
  switch (option.use) {
    case 'danger':
    case 'danger-value':
      if (value?.value && isSwitchedOff(call.name, written, value.value)) break
      notCovered(call, `${call.name} ${written} does more than a broad rule covers: it can run code or give away secrets`)
      break
    case 'code':
    case 'code-file':
      call.unit.traits.push({ kind: 'interpreter-code', option: written })
      if (value && option.use === 'code-file') touchArgument(call, 'read', value, 'deny-only')
      break
    case 'in-place':
      break
    case 'directory':
    case 'target':
      if (value) return moveBase(call.place, value)
      break
    default:
      if (value) applyValue(call, option, value, parsed)
  }
  return call.place
}

/** `pytest -p no:cacheprovider` leaves a plugin out. */
function isSwitchedOff(name: string, option: string, value: string): boolean {
  return name === 'pytest' && option === '-p' && value.startsWith('no:')
}

function applyValue(call: Call, option: ParsedOption, value: Word, parsed: ParsedArguments): void {
  const by = `${call.name} ${option.written}`
  switch (option.use) {
    case 'read':
    case 'named-read':
      touchArgument(call, 'read', value, 'deny-only')
      return
    case 'write':
      touchArgument(call, 'write', value, 'full')
      return
    case 'write-own':
      touchArgument(call, 'write', value, 'deny-only')
      return
    case 'archive':
      touchArgument(call, isMakingArchive(parsed) ? 'write' : 'read', value, 'deny-only')
      return
    case 'into':
      fillDirectory(call, value)
      return
    case 'rules':
      readRules(call, option.written, value)
      return
    case 'volume':
    case 'mount':
      mountPlace(call, option.use, value)
      return
    case 'ini-setting':
      if (
        !/^(?:log_|junit_|xfail_|console_|cache_dir|filterwarnings|markers|minversion|norecursedirs|testpaths|timeout)/.test(
          leadingText(value),
        )
      )
        notCovered(call, `${by} can load code`)
      return
    case 'upload':
      uploadFile(call, value)
      return
    case 'module':
      if (/^(?:timeit|code|pdb|asyncio)$/.test(value.value ?? ''))
        call.unit.traits.push({ kind: 'interpreter-code', option: option.written })
      return
    case 'statement':
      if (startsProgram(value)) call.unit.traits.push({ kind: 'interpreter-code', option: option.written })
      return
    case 'shell':
    case 'shell-maybe':
      runCode(call.walk, { code: value, span: call.unit.span, by }, { ...call.place, behind: [...call.place.behind, by] })
      return
    case 'words':
      runInner(call, { words: splitWords(value), behind: by })
      return
    case 'git-config':
      runGitSetting(call, value, by)
      return
    case 'ssh-option':
      applySshOption(call, value, by)
      return
    case 'tar-action':
      applyTarAction(call, value, by)
      return
    case 'sed-script':
      readSedScript(call, value)
      return
    default:
      return
  }
}

/** A file of rules is as good as the project it lies in. */
function readRules(call: Call, option: string, file: Word): void {
  if (isStream(file)) {
    call.unit.traits.push({ kind: 'interpreter-code', option })
    return
  }
  if (isOutside(call, file)) notCovered(call, `${call.name} ${option} names rules outside the project`)
  touchArgument(call, 'read', file, 'deny-only')
}

function uploadFile(call: Call, value: Word): void {
  const at = /^(?:[^=@<]*=)?[@<]/.exec(leadingText(value))
  if (!at) return
  const path = dropText(value, at[0].length)
  touchArgument(call, 'read', path.value === null ? path : textWord(path.value.replace(/;.*$/s, ''), path.source), 'deny-only')
}

export function moveBase(place: Place, target: Word): Place {
  const { bases } = place.scope
  const path = target.glob ? null : target.value
  const moved = path === null || bases === null ? null : bases.map(base => posix.resolve('/', base, path))
  return { ...place, scope: { ...place.scope, bases: path?.startsWith('/') ? [posix.normalize(path)] : moved } }
}

function applySshOption(call: Call, value: Word, by: string): void {
  const match = /^\s*(\w+)(?:\s*=\s*|\s+)/.exec(leadingText(value))
  const name = match?.[1]?.toLowerCase()
  if (!match || !name) {
    notCovered(call, `${by} sets an option that is only known at run time`)
    return
  }
  if (name === 'proxycommand' || name === 'localcommand' || name === 'knownhostscommand' || name === 'remotecommand') {
    const code = dropText(value, match[0].length)
    if (code.value?.toLowerCase() === 'none') return
    runCode(
      call.walk,
      { code, span: call.unit.span, by: `${by} ${name}` },
      { ...call.place, behind: [...call.place.behind, `${by} ${name}`] },
    )
  }
  if (/^(?:match|include|pkcs11provider|securitykeyprovider|xauthlocation|proxyusefdpass|permitlocalcommand)$/.test(name))
    notCovered(call, `${by} ${name} can run code`)
}

function applyTarAction(call: Call, value: Word, by: string): void {
  const text = leadingText(value)
  if (text.startsWith('exec=')) {
    const code = dropText(value, 5)
    runCode(call.walk, { code, span: call.unit.span, by }, { ...call.place, behind: [...call.place.behind, by] })
    return
  }
  if (value.value === null) notCovered(call, `${by} is only known at run time`)
}
