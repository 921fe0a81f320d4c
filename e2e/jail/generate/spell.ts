// The same word in the many ways that bash reads it. This knows bash, and nothing of the matcher.
import { ansiQuoted, doubleQuoted, isPlain, type Maker, plainly, quote, singleQuoted } from './quote.ts'
import { setVariable } from './set-variable.ts'

/** Statements that must come before, and the text itself. */
export interface Spelled {
  readonly before: readonly string[]
  readonly text: string
}

type Speller = (make: Maker, word: string) => Spelled

const only = (text: string): Spelled => ({ before: [], text })

function backslashed(word: string): string {
  return [...word].map(character => (character === '\n' ? "$'\\n'" : `\\${character}`)).join('')
}

function inPieces(make: Maker, word: string): Spelled {
  if (word.length < 2) return only(quote(make, word))
  const at = 1 + make.next(word.length - 1)
  const first = spellWord(make, word.slice(0, at))
  const second = spellWord(make, word.slice(at))
  return { before: [...first.before, ...second.before], text: `${first.text}${second.text}` }
}

function use(make: Maker, name: string): string {
  return make.pick([`$${name}`, `"$${name}"`, `\${${name}}`, `"\${${name}}"`])
}

function throughVariable(make: Maker, word: string): Spelled {
  const name = make.fresh()
  return { before: setVariable(make, name, word), text: use(make, name) }
}

function throughOperator(make: Maker, word: string): Spelled {
  const name = make.fresh()
  const quoted = plainly(make, word)
  const expansion = make.pick([
    () => ({ value: '', text: `\${${name}:-${quoted}}` }),
    () => ({ value: 'q', text: `\${${name}:+${quoted}}` }),
    () => ({ value: '', text: `\${${name}:=${quoted}}` }),
    () => ({ value: `xx${word}`, text: `\${${name}:2}` }),
    () => ({ value: `xx${word}yy`, text: `\${${name}:2:${word.length}}` }),
    () => ({ value: `xx${word}`, text: `\${${name}#xx}` }),
    () => ({ value: `a/b/${word}`, text: `\${${name}##*/}` }),
    () => ({ value: `${word}.yy`, text: `\${${name}%.yy}` }),
    () => ({ value: `${word}@@`, text: `\${${name}%%@*}` }),
    () => ({ value: `QQ${word}`, text: `\${${name}/QQ/}` }),
    () => ({ value: 'Q', text: `\${${name}/Q/${quoted}}` }),
    () => ({ value: [...word].join('QQ'), text: `\${${name}//QQ/}` }),
    () => ({ value: word.toUpperCase(), text: `\${${name},,}` }),
    () => ({ value: word.toUpperCase(), text: `\${${name}@L}` }),
    () => ({ value: word, text: `\${${name}@P}` }),
    () => ({ value: ansiQuoted(make, word).slice(2, -1), text: `\${${name}@E}` }),
  ])()
  const before = expansion.value === '' ? [] : setVariable(make, name, expansion.value)
  return { before, text: make.chance(50) ? expansion.text : `"${expansion.text}"` }
}

function throughArray(make: Maker, word: string): Spelled {
  const name = make.fresh()
  const quoted = plainly(make, word)
  return make.pick([
    () => ({ before: [`${name}=(ls ${quoted})`], text: `\${${name}[1]}` }),
    () => ({ before: [`${name}=(ls ${quoted})`], text: `"\${${name}[-1]}"` }),
    () => ({ before: [`${name}[3]=${quoted}`], text: `\${${name}[@]}` }),
    () => ({ before: [`declare -A ${name}=([k]=${quoted} [j]=ls)`], text: `\${${name}[k]}` }),
    () => ({ before: [`declare -A ${name}`, `${name}[k]=${quoted}`], text: `"\${${name}[k]}"` }),
    () => ({ before: [`${name}=(ls echo)`, `${name}[0]=${quoted}`], text: `$${name}` }),
    () => ({ before: [`${name}=(ls)`, `${name}+=(${quoted})`, 'i=1'], text: `\${${name}[i]}` }),
    () => ({ before: [`${name}=(ls ${quoted} ls)`], text: `"\${${name}[@]:1:1}"` }),
    () => ({ before: [`${name}=([2]=${quoted} ls)`], text: `\${${name}[1+1]}` }),
  ])()
}

function throughReference(make: Maker, word: string): Spelled {
  const name = make.fresh()
  const pointer = make.fresh()
  const before = setVariable(make, name, word)
  return make.pick([
    () => ({ before: [...before, `${pointer}=${name}`], text: `\${!${pointer}}` }),
    () => ({ before: [...before, `declare -n ${pointer}=${name}`], text: `$${pointer}` }),
    () => ({ before: [`declare -n ${pointer}=${name}`, ...before], text: `"$${pointer}"` }),
    () => ({ before: [`set -- ${plainly(make, word)}`], text: make.pick(['$1', '"$1"', '"$@"', '$*', '${!#}', '"${@:1:1}"', '${@: -1}']) }),
    () => ({ before: [`: ${plainly(make, word)}`], text: '$_' }),
    () => ({ before: [`[[ ${plainly(make, word)} =~ .+ ]]`], text: '${BASH_REMATCH[0]}' }),
    () => ({ before: [`read <<< ${plainly(make, word)}`], text: '$REPLY' }),
    () => ({ before: [`mapfile -t <<< ${plainly(make, word)}`], text: '${MAPFILE[0]}' }),
  ])()
}

function throughSubstitution(make: Maker, word: string): Spelled {
  const quoted = plainly(make, word)
  const reversed = plainly(make, [...word].reverse().join(''))
  const text = make.pick([
    () => `$(echo ${quoted})`,
    () => `"$(printf %s ${quoted})"`,
    () => (isPlain(word) ? `\`echo ${word}\`` : `$(echo ${quoted})`),
    () => `$(cat <<< ${quoted})`,
    () => `$(rev <<< ${reversed})`,
    () => `"$(base64 -d <<< ${Buffer.from(word).toString('base64')})"`,
    () => (isPlain(word) ? `$(basename /a/${word.replaceAll('/', '')})` : `$(echo ${quoted})`),
    () => `$(printf '%s' ${quoted} | tr -d '\\n')`,
    () => `$(echo ls >&2; echo ${quoted})`,
    () => `$(f() { echo ${quoted}; }; f)`,
    () => `$(sed s/Q// <<< ${plainly(make, `Q${word}`)})`,
    () => `$(cut -c2- <<< ${plainly(make, `Q${word}`)})`,
    () => `$(awk 'BEGIN { print ${JSON.stringify(word)} }')`,
  ])()
  return only(text)
}

function inBraces(make: Maker, word: string): Spelled {
  const quoted = plainly(make, word)
  return only(make.pick([`{${quoted},}`, `{,${quoted}}`, `{${quoted},''}`]))
}

const SPELLERS: readonly Speller[] = [
  (_, word) => only(singleQuoted(word)),
  (_, word) => only(doubleQuoted(word)),
  (make, word) => only(ansiQuoted(make, word)),
  (_, word) => only(backslashed(word)),
  (make, word) => only(`$${doubleQuoted(word)}${make.pick(['', "''", '""'])}`),
  inPieces,
  inPieces,
  throughVariable,
  throughVariable,
  throughVariable,
  throughOperator,
  throughOperator,
  throughArray,
  throughReference,
  throughSubstitution,
  inBraces,
]

/** Never plain. */
export function spellWord(make: Maker, word: string): Spelled {
  return make.pick(SPELLERS)(make, word)
}
