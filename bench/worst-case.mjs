// The whole decision on 64 KiB of the worst shell text anybody has thought of, or that a search has found. Processor time, the best of
// several turns: it is the text that is to be slow here, not the machine.
import { analyze, BUDGET_MS, decide, leastMs } from './lib/judge-cost.mjs'

const BYTES = 64 * 1024
const TURNS = Number(process.env.BELAY_BENCH_TURNS ?? 7)

const CASES = {
  'one-word commands': repeat('a;'),
  'short commands': repeat('ls;x;'),
  'commands by line': repeat('ls a\n'),
  'long pipeline': repeat('a|'),
  'and-list': repeat('a&&'),
  background: repeat('a&'),
  'one command, many words': `ls ${repeat('a ')}`,
  'one long word': `ls ${repeat('a')}`,
  'many flags': `rm ${repeat('-r ')}`,
  'many long flags': `git push ${repeat('--f ')}`,
  'one cluster of flags': `rm -${repeat('r')}`,
  assignments: repeat('a=b '),
  'assignments by line': repeat('a=b;'),
  'variables in one word': `ls ${repeat('$a')}`,
  'variables as words': `ls ${repeat('$a ')}`,
  'known variables': `a=b;ls ${repeat('$a ')}`,
  'every variable set and used': repeat('a=$a;'),
  'output redirections': `ls ${repeat('>a ')}`,
  'commands that write': repeat('ls>a;'),
  'commands that write elsewhere': series(index => `ls>f${index};`),
  'change directory': repeat('cd a;'),
  'change directory, perhaps': repeat('cd a||'),
  'other directories, perhaps': series(index => `cd d${index}||`),
  'programs with files': repeat('cp a b;'),
  'find with many actions': `find . ${repeat('-exec a \\; ')}`,
  'sed script': `sed '${repeat('p;')}' a`,
  'awk program': `awk '${repeat('{print}')}' a`,
  'substitutions side by side': repeat('$(a)'),
  'substitutions in a word': `ls ${repeat('$(a)')}`,
  'nested substitutions': nest('$(', ')', 190),
  'nested as deep as it will go': nest('$(', ')'),
  'nested and never closed': repeat('$('),
  'nested parameters': nest('${a:-', '}'),
  'nested parameters, open': repeat('${'),
  'nested quotes': nest('"$(', ')"', 190),
  'quoted substitutions, open': repeat('"$('),
  backticks: repeat('`'),
  'backticks with commands': repeat('`a`'),
  'subshells side by side': repeat('(a);'),
  'nested subshells': nest('(', ')', 190),
  'subshells, open': repeat('('),
  'brace groups, open': repeat('{ '),
  'braces, open': repeat('{'),
  'braces in a word': `ls ${repeat('{a,b}')}`,
  'storm of openers': repeat('{"$("{'),
  arithmetic: repeat('((a));'),
  'nested arithmetic': `$((${nest('(', ')', 190)}))`,
  'long arithmetic': `((${repeat('a+')}1))`,
  'arithmetic, open': repeat('$(('),
  'test, long': `[[ ${repeat('a || ')}a ]]`,
  'case, many patterns': `case a in ${repeat('a|')}b) x;; esac`,
  'case, many branches': `case a in ${repeat('a) x;; ')}esac`,
  'nested if': nest('if a;then ', ';fi', 190),
  'many ifs': repeat('if a;then b;fi;'),
  'many loops': repeat('for i in a;do b;done;'),
  'loop over many words': `for i in ${repeat('a ')};do rm $i;done`,
  functions: series(index => `f${index}(){ a;};`),
  'here-documents': repeat('a<<b\nb\n'),
  'here-documents on a line': repeat('a<<b '),
  'here-strings': repeat('a<<<b;'),
  'one big here-document': `cat <<'E'\n${repeat('a line of text\n')}E\n`,
  'here-document with substitutions': `cat <<E\n${repeat('$(a)\n')}E\n`,
  'process substitutions': `diff ${repeat('<(a) ')}`,
  'single quotes': repeat("''"),
  'double quotes': repeat('""'),
  escapes: `ls ${repeat('\\a')}`,
  'ansi-c quotes': `ls ${repeat("$'\\x41'")}`,
  comments: repeat('#a\n'),
  'line continuations': repeat('a\\\n'),
  wrappers: `${'sudo '.repeat(15)}ls`,
  'wrappers, far too many': repeat('sudo '),
  'xargs, over and over': repeat('xargs '),
  'shells within shells': shells(8),
  'many shells': repeat("sh -c 'a';"),
  'eval, over and over': repeat('eval '),
  globs: `ls ${repeat('* ')}`,
  'stars in one word': `ls ${repeat('*a')}`,
  'extended globs': `ls ${repeat('@(a|')}`,
  'paths up and up': `ls ${repeat('../')}`,
  'deep path': `rm ${repeat('a/')}`,
  'other characters': `ls ${repeat('\u00e9')}`,
  'parse error at every line': repeat(')\n'),
  'arithmetic in brackets, open': repeat('$['),
  'array of brackets': `x=(${repeat('[')}`,
  'array of subscripts': `x=(${repeat('[a ')}`,
  'one word of subscripts': `rsync ${repeat('../a[1]=')}`,
  'subscripts in a word': `ls ${repeat('[')}`,
  'patterns as words': `ls ${repeat('[a] ').slice(0, 20_000)}`,
  'pattern of directories': repeat('*/'),
  'env -S': `env -S '${repeat('a ')}'`,
  'env -S, operators': `env -S '${repeat(';')}'`,
  'tests and loops': repeat('[[ a ]];for i in a;do b;done;'),
  'settings of git': repeat('git -c alias.x=').slice(0, 20_000),
  'commands in backticks of eval': `eval "${series(index => `\`sudo ${index} `).slice(0, 16_000)}"`,
  'directories and names': series(index => `;cd a;unset ${index}`).slice(0, 8000),
  'a long value used often': `a='${'x'.repeat(30_000)}';ls ${repeat('$a ').slice(0, 30_000)}`,
  'files to write': repeat('tee ').slice(0, 20_000),
  'links to make': repeat('ln -s a b;').slice(0, 16_000),
  'sets in sed': `sed 's/${repeat('[:')}'`,
  'strings in awk': `awk '"${repeat('\\"')}'`,
  'repeats in the pattern of pkill': `pkill -f '${'(.+)+'.repeat(40)}@'`,
  'many files to move': `mv ${series(index => `f${index} `).slice(0, 7300)} d`,
  'many folders to move': `mv ${series(index => `a/b/c/f${index} `).slice(0, 16_000)} d`,
  'hidden patterns behind a wrapper': `sudo ${repeat('.**[a] ').slice(0, 8000)}`,
  'other hidden patterns behind a wrapper': `sudo ${series(index => `.${index}*[a] `).slice(0, 8000)}`,
  'stars in the name of find': `find . -name '${'*a'.repeat(2000)}' -delete`,
}

const results = Object.entries(CASES).map(([name, text]) => ({ name, ...measure(text.slice(0, BYTES)) }))
console.log(`| text of 64 KiB | analysis ms | whole decision ms | budget ms | decision | |\n|---|--:|--:|--:|---|---|`)
for (const { name, analysisMs, decisionMs, decision } of results.sort((left, right) => right.decisionMs - left.decisionMs))
  console.log(
    `| ${name} | ${analysisMs.toFixed(1)} | ${decisionMs.toFixed(1)} | ${BUDGET_MS} | ${decision} | ${decisionMs > BUDGET_MS ? 'over' : ''} |`,
  )

function measure(command) {
  return {
    analysisMs: leastMs(() => analyze(command), TURNS),
    decisionMs: leastMs(() => decide(command), TURNS),
    decision: decide(command),
  }
}

function repeat(text) {
  return text.repeat(Math.ceil(BYTES / text.length)).slice(0, BYTES - 200)
}

function series(make) {
  let text = ''
  for (let index = 0; text.length < BYTES - 200; index++) text += make(index)
  return text
}

function nest(open, close, depth = Math.floor((BYTES - 200) / (open.length + close.length))) {
  return `${open.repeat(depth)}a${close.repeat(depth)}`
}

function shells(depth) {
  let text = 'ls'
  for (let level = 0; level < depth; level++) text = `sh -c '${text.replaceAll("'", `'\\''`)}'`
  return text.slice(0, BYTES)
}
