// What options do: files they touch, commands they start, code they hold.
import { posix } from 'node:path'
import { fillDirectory, isMakingArchive, isOutside, isStream, runProject } from './argument-file.ts'
import { type Call, notCovered, runInner, splitWords, touchArgument } from './call.ts'
import { hiddenMatches, regexNames } from './listed-name.ts'
import { runCode } from './nested-code.ts'
import type { ParsedArguments, ParsedOption } from './parse-options.ts'
import { patternWords } from './pathspec.ts'
import { readEditorCommands } from './reader/editor.ts'
import { runGitSetting } from './reader/git-setting.ts'
import { runsMacro } from './reader/macro.ts'
import { mountPlace } from './reader/mount.ts'
import { readSedScript } from './reader/sed-script.ts'
import { startsProgram, touchNamedFiles } from './reader/statement.ts'
import type { Word } from './shell-analysis.ts'
import { knownNames } from './stdin-names.ts'
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
    case 'editor-code':
      call.unit.traits.push({ kind: 'interpreter-code', option: written })
      if (value && option.use === 'editor-code') readEditorCommands(call, value)
      if (value && option.use === 'code-file') touchArgument(call, 'read', value, 'deny-only')
      break
    case 'in-place':
      break
    case 'env-file':
      touchArgument(call, 'read', value ?? textWord('.env'), 'deny-only')
      break
    case 'project-directory':
      if (value) runProject(call, `${call.name} ${written}`, value)
      return value ? moveBase(call.place, value) : call.place
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
    case 'path-list':
    case 'named-read':
      touchArgument(call, 'read', value, 'deny-only')
      // `wc --files0-from=-`: the names come on standard input.
      if (/^--files0?-from$/.test(option.name) && isStream(value))
        for (const name of knownNames(call)) touchArgument(call, 'read', name, 'deny-only')
      return
    case 'write':
      // strace pipes what it writes into a command.
      if (call.name === 'strace' && /^[|!]/.test(leadingText(value)))
        applyOption(call, { ...option, use: 'shell', value: dropText(value, 1) }, parsed)
      else touchArgument(call, 'write', value, 'full')
      return
    case 'write-own':
      touchArgument(call, 'write', namedDestination(value), 'deny-only')
      return
    case 'update':
      touchArgument(call, 'read', value, 'deny-only')
      touchArgument(call, 'write', value, 'deny-only')
      return
    case 'archive':
      if (isMakingArchive(parsed)) touchArgument(call, 'write', value, 'full')
      else touchArgument(call, 'read', value, 'deny-only')
      return
    case 'into':
      fillDirectory(call, value)
      return
    case 'rules':
      readRules(call, option.written, value)
      return
    case 'project':
      runProject(call, by, value)
      touchArgument(call, 'read', value, 'guess')
      return
    case 'read-range':
      touchArgument(call, 'read', dropText(value, leadingText(value).lastIndexOf(':') + 1), 'deny-only')
      return
    case 'volume':
    case 'mount':
      mountPlace(call, option.use, value)
      return
    case 'report':
      if (leadingText(value).includes(':')) touchArgument(call, 'write', dropText(value, leadingText(value).indexOf(':') + 1), 'full')
      return
    case 'ini-setting':
      applyIniSetting(call, value, by)
      return
    case 'upload':
      uploadFile(call, value)
      return
    case 'named-path':
      touchArgument(call, 'read', dropText(value, leadingText(value).indexOf('=') + 1), 'deny-only')
      return
    case 'read-pattern':
      if (value.value === null) touchArgument(call, 'read', value, 'deny-only')
      else touchPattern(call, option.name === '--iglob' ? value.value.toLowerCase() : value.value, value.source)
      return
    case 'read-regex':
      for (const name of regexNames(value)) touchArgument(call, 'read', name, 'deny-only')
      return
    case 'read-type':
      touchType(call, value)
      return
    case 'macro':
      if (runsMacro(value)) call.unit.traits.push({ kind: 'interpreter-code', option: option.written })
      return
    case 'linker-flags':
      if (value.value === null || /(?:^|\s)-?-ext(?:ld|ar)\b/.test(value.value)) notCovered(call, `${by} can name the program that links`)
      return
    case 'module':
      if (RUNS_CODE.test(value.value ?? '')) call.unit.traits.push({ kind: 'interpreter-code', option: option.written })
      return
    case 'statement':
      if (startsProgram(value)) call.unit.traits.push({ kind: 'interpreter-code', option: option.written })
      touchNamedFiles(call, value)
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

/** `docker build -o type=local,dest=x`. */
function namedDestination(value: Word): Word {
  const found = /^(?:[^,]*,)*dest=/.exec(leadingText(value))
  if (found === null) return value
  const path = dropText(value, found[0].length)
  return path.value === null ? path : textWord(path.value.replace(/,.*$/s, ''), path.source)
}

/** Modules that run code, or another module. */
const RUNS_CODE =
  /^(?:timeit|code|pdb|asyncio|cProfile|profile|runpy|trace|coverage|debugpy|IPython|idlelib|pyinstrument|memory_profiler|scalene|viztracer|kernprof|line_profiler|bdb|pudb|ipdb|idlelib\.\w+|smtpd)$/

/** One that may begin with anything is no narrower than the search it stands in. */
function touchPattern(call: Call, pattern: string, source: string): void {
  const [word] = patternWords(pattern, source)
  if (word && word.parts[0]?.kind !== 'glob') touchArgument(call, 'read', word, 'deny-only')
  else if (looksAtHidden(call)) for (const name of hiddenMatches(pattern, source)) touchArgument(call, 'read', name, 'deny-only')
}

/** grep looks at hidden files too, rg where it is told to. */
function looksAtHidden({ name, words }: Call): boolean {
  return name !== 'rg' || words.some(word => /^(?:--hidden|-\.|-uu+|--unrestricted)$/.test(leadingText(word)))
}

/** `x:is:.env`, `x:ext:env,key`, `x:match:/env/` of ack, `x:.env*` of rg. */
function touchType(call: Call, { value, source }: Word): void {
  const [, kind, given = ''] = /^[^:=]*[:=](?:(is|ext|match|include):)?(.*)$/s.exec(value ?? '') ?? []
  if (kind === undefined) touchPattern(call, given, source)
  if (kind === 'match')
    for (const name of regexNames(textWord(given.replace(/^\/|\/$/g, ''), source))) touchArgument(call, 'read', name, 'deny-only')
  if (kind !== 'is' && kind !== 'ext') return
  for (const name of given.split(',')) touchArgument(call, 'read', textWord(kind === 'is' ? name : `.${name}`, source), 'deny-only')
}

/** Names that files of rules have. */
const RULES = /(?:^|[/.])(?:gnu)?makefile(?:[.-][^/]*)?$|\.(?:mk|mak|make)$/i

/** A file of rules is as good as the project it lies in; one that make has under no such name was put there for this. */
function readRules(call: Call, option: string, file: Word): void {
  if (isStream(file)) {
    call.unit.traits.push({ kind: 'interpreter-code', option })
    return
  }
  if (isOutside(call, file)) notCovered(call, `${call.name} ${option} names rules outside the project`)
  else if (/^g?make$/.test(call.name) && !RULES.test(file.value ?? '')) notCovered(call, `${call.name} ${option} names rules of its own`)
  touchArgument(call, 'read', file, 'deny-only')
}

function uploadFile(call: Call, value: Word): void {
  const at = /^(?:[^=@<]*=)?[@<]/.exec(leadingText(value))
  if (!at) return
  const path = dropText(value, at[0].length)
  touchArgument(call, 'read', path.value === null ? path : textWord(path.value.replace(/;.*$/s, ''), path.source), 'deny-only')
}

/** Places that are written, places of tests, and what leads to code. */
function applyIniSetting(call: Call, value: Word, by: string): void {
  const text = leadingText(value)
  const at = text.indexOf('=') + 1
  if (/^(?:cache_dir|log_file)=/.test(text)) touchArgument(call, 'write', dropText(value, at), 'full')
  if (text.startsWith('testpaths=')) runProject(call, by, dropText(value, at))
  const isData = /^(?:log_|junit_|xfail_|console_|cache_dir|filterwarnings|markers|minversion|norecursedirs|testpaths|timeout)/.test(text)
  if (!isData) notCovered(call, `${by} can load code`)
}

export function moveBase(place: Place, target: Word): Place {
  const { bases } = place.scope
  const path = target.glob ? null : target.value
  const moved = path === null || bases === null ? null : bases.map(base => posix.resolve('/', base, path))
  return { ...place, scope: { ...place.scope, bases: path?.startsWith('/') ? [posix.normalize(path)] : moved, failedBases: [] } }
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
