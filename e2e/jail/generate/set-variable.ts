// The ways in which a variable of bash comes to its value, with other values around that it does not keep.
import { type Maker, plainly, quote, singleQuoted } from './quote.ts'

/** name, quoted value, a harmless value beside it, the value itself. */
interface Setting {
  readonly n: string
  readonly v: string
  readonly d: string
  readonly value: string
  readonly make: Maker
}

const SIMPLE: readonly ((setting: Setting) => string)[] = [
  ({ n, v }) => `${n}=${v}`,
  ({ n, v }) => `declare ${n}=${v}`,
  ({ n, v }) => `export ${n}=${v}`,
  ({ n, v }) => `readonly ${n}=${v}`,
  ({ n, v }) => `typeset -x ${n}=${v}`,
  ({ n, v }) => `printf -v ${n} %s ${v}`,
  ({ n, value, make }) => `printf -v ${n} %s%s ${plainly(make, value.slice(0, 1))} ${plainly(make, value.slice(1))}`,
  ({ n, v }) => `read -r ${n} <<< ${v}`,
  ({ n, v }) => `read -r ${n} < <(echo ${v})`,
  ({ n, v }) => `IFS= read -rd '' ${n} < <(printf %s ${v})`,
  ({ n, value }) => `read -r ${n} <<'E'\n${value}\nE\n`,
  ({ n, v }) => `mapfile -t ${n} <<< ${v}`,
  ({ n, v }) => `: "\${${n}:=${v}}"`,
  ({ n, v, make }) => `eval ${quote(make, `${n}=${v}`)}`,
  ({ n, v }) => `${n}=$(echo ${v})`,
  ({ n, v }) => `select ${n} in ${v}; do break; done <<< 1`,
  ({ n, value, make }) => `declare -l ${n}=${plainly(make, value.toUpperCase())}`,
  ({ n, value, make }) => `${n}=${plainly(make, value.slice(0, 1))}; ${n}+=${plainly(make, value.slice(1))}`,
  ({ n, v }) => `source <(echo ${n}=${singleQuoted(v)})`,
  ({ n, v }) => `. /dev/stdin <<< ${singleQuoted(`${n}=${v}`)}`,
  ({ n, v }) => `x=${n}; declare "$x=${v.includes('"') ? '' : v.replaceAll("'", '')}"`,
  ({ n, v }) => `x=${n}; printf -v "$x" %s ${v}`,
  ({ n, v }) => `x=${n}; read -r "$x" <<< ${v}`,
  ({ n, v }) => `set -- -x ${v}; OPTIND=1; getopts x: o; ${n}=$OPTARG`,
  ({ n, v }) => `[[ ${v} =~ (.*) ]]; ${n}=\${BASH_REMATCH[1]}`,
]

const AMONG_OTHERS: readonly ((setting: Setting) => string)[] = [
  ({ n, v, d }) => `for ${n} in ${d} ${v}; do :; done`,
  ({ n, v, d }) => `if true; then ${n}=${v}; else ${n}=${d}; fi`,
  ({ n, v, d }) => `if [ -e nothing ]; then ${n}=${d}; else ${n}=${v}; fi`,
  ({ n, v, d }) => `${n}=${d}; [ -e a.txt ] && ${n}=${v}`,
  ({ n, v, d }) => `${n}=${d}; false || ${n}=${v}`,
  ({ n, v, d }) => `${n}=${v}; (${n}=${d})`,
  ({ n, v, d }) => `${n}=${v}; : $(${n}=${d})`,
  ({ n, v, d }) => `${n}=${v}; ${n}=${d} true`,
  ({ n, v, d }) => `${n}=${v}; true | ${n}=${d}`,
  ({ n, v, d }) => `${n}=${v}; ${n}=${d} & wait`,
  ({ n, v, d }) => `${n}=${v}; true && : <(${n}=${d})`,
  ({ n, v, d }) => `${n}=${v}; false && ${n}=${d}`,
  ({ n, v, d }) => `${n}=${v}; if false; then ${n}=${d}; fi`,
  ({ n, v, d }) => `${n}=${v}; while false; do ${n}=${d}; done`,
  ({ n, v, d }) => `${n}=${v}; for ${n}_ in; do ${n}=${d}; done`,
  ({ n, v, d }) => `${n}=${d}; while ${n}=${v}; false; do :; done`,
  ({ n, v, d }) => `case a in b) ${n}=${d};; a) ${n}=${v};; *) ${n}=${d};; esac`,
  ({ n, v, d }) => `case a in a) ${n}=${d};;& ?) ${n}=${v};; esac`,
  ({ n, v, d }) => `f() { ${n}=${v}; }; ${n}=${d}; f`,
  ({ n, v, d }) => `f() { local ${n}=${d}; }; ${n}=${v}; f`,
  ({ n, v, d }) => `f() { declare -g ${n}=${v}; }; ${n}=${d}; f`,
  ({ n, v, d }) => `f() { ${n}=${d}; }; ${n}=${v}`,
  ({ n, v, d }) => `f() { local -n r=$1; r=$2; }; ${n}=${d}; f ${n} ${v}`,
  ({ n, v, d }) => `f() { eval "$1=\\$2"; }; ${n}=${d}; f ${n} ${v}`,
  ({ n, v, d }) => `f() { printf -v "$1" %s "$2"; }; ${n}=${d}; f ${n} ${v}`,
  ({ n, v, d }) => `f() ( ${n}=${d} ); ${n}=${v}; f`,
  ({ n, v, d }) => `f() { unset ${n}; ${n}=${v}; }; ${n}=${d}; f`,
  ({ n, v, d }) => `shopt -s lastpipe; ${n}=${d}; echo ${v} | read -r ${n}`,
  ({ n, v, d }) => `set -o posix; ${n}=${d}; ${n}=${v} :; set +o posix`,
  ({ n, v, d }) => `${n}=${v}; echo ${d} | read -r ${n}`,
  ({ n, v, d }) => `declare -n r=${n}; ${n}=${d}; r=${v}`,
  ({ n, v, d }) => `declare -n r=${n}; ${n}=${d}; for r in ${n}; do r=${v}; done`,
  ({ n, v, d }) => `trap '${n}=${v.replaceAll("'", '')}' DEBUG; ${n}=${d}; :; trap - DEBUG`,
  ({ n, v, d }) => `trap '${n}=${v.replaceAll("'", '')}' USR1; ${n}=${d}; builtin kill -USR1 $$`,
  ({ n, v, d }) => `${n}=${d}; : \${u:=\${${n}:=x}} "\${${n}/*/}"; ${n}=${v}`,
  ({ n, v, d }) => `${n}=${d}; unset ${n}; ${n}=${v}`,
  ({ n, v, d }) => `${n}=(${d} ${v}); ${n}=\${${n}[1]}`,
  ({ n, v, d }) => `while read -r ${n}; do :; done <<< ${d}; ${n}=${v}`,
  ({ n, v, d }) => `while read -r l; do ${n}=$l; done <<< ${v}; : ${d}`,
  ({ n, v, d }) => `${n}=${d}; echo x | while read -r l; do ${n}=${d}; done; ${n}=${v}`,
  ({ n, v, d }) => `${n}=${d}; { read -r ${n}; } <<< ${v}`,
  ({ n, v, d }) => `until [ "$${n}" = ${v} ]; do ${n}=${v}; done; : ${d}`,
  ({ n, v, d }) => `for ((k=0; k<2; k++)); do ((k)) && ${n}=${v} || ${n}=${d}; done`,
  ({ n, v, d }) => `(( 1 )) && ${n}=${v} || ${n}=${d}`,
  ({ n, v, d }) => `${n}=${d}; coproc { :; }; ${n}=${v}; wait`,
  ({ n, v, d }) => `${n}=${d}; exec 7<<< ${v}; read -r -u 7 ${n}`,
  ({ n, v, d }) => `${n}=${d}; true > >(${n}=${d}); ${n}=${v}`,
]

const HARMLESS = ['ls', 'echo', 'status', 'x', 'true', 'a.txt'] as const

export function setVariable(make: Maker, name: string, value: string): readonly string[] {
  const setting = { n: name, v: plainly(make, value), d: make.pick(HARMLESS), value, make }
  const settings = make.chance(55) ? SIMPLE : AMONG_OTHERS
  return [make.pick(settings)(setting)]
}
