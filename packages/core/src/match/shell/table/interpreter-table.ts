// Interpreters that few people have: which option takes code. `name/options`, names with the same options side by side.
import type { Program, ProgramTable } from './program.ts'

const CODE = [
  'guile,guile3,gosh,csi,chicken-csi/-c,-e,--eval,-l:danger-value',
  'racket,gracket/-e,--eval,-p:code,-l:danger-value,-r:danger-value',
  'sbcl,ecl,ccl,abcl,clisp,lisp,cmucl/--eval,-eval,-x,--load:danger-value,-l:danger-value',
  'ghc,ghci,runghc,runhaskell,stack-runghc/-e',
  'ocaml,utop,rescript/-e',
  'clojure,clj,bb,planck,lumo,joker,babashka/-e,--eval,-M:danger-value,-X:danger-value',
  'coffee,livescript,lsc,ts-node-esm,esno,swc-node,sucrase-node,babel-node,vite-node,jiti,iojs,qjs,d8,js,njs,mujs,tjs,hermes,v8,jsc,rhino,graaljs/-e,--eval,-p:code,--print:code,-r:danger-value',
  'jruby,truffleruby,mruby,rubinius,rbx,pry,macruby/-e,-r:danger-value',
  'jython,micropython,circuitpython,stackless,pyston,graalpy,hy,coconut,ptpython,bpython,sage,cpython/-c,-m:module',
  'raku,perl6,rakudo,cperl/-e,-M:danger-value',
  'swift,kotlin,kotlinc,ki,scala-cli,amm,groovysh,jrunscript,jjs,jbang/-e,-c',
  'octave,octave-cli,scilab,scilab-cli,maxima,gp,gap,magma,matlab,wolframscript,math,yacas/--eval,-e,-r:code,-batch:code,-code:code,-c:code',
  'gnuplot,gforth,pforth,pike,io,factor,janet,fennel,elvi,nickle,jimsh,picolisp,pil,newlisp,arc,lfe,iex,luau,texlua,luatex,lualatex,moon,moonjit,ravi,terra,nu-script,rexx,regina,dyalog,apl,ngn,k,q,j,jconsole/-e,-c,--eval',
  'mongo,mongosh,redis-cli,duckdb,sqlcmd,usql,osqueryi,clickhouse-client,cqlsh,snowsql,sqlplus/--eval,--exec:statement,-e:statement,-c:statement,-Q:statement,--query:statement',
  'dc,bc/-e,--expression',
  'radare2,r2,rizin/-c,-i:danger-value',
  'blender/--python-expr,--python:code-file,-P:code-file',
  'emacsclient/-e,--eval',
  'dotnet-script,csharp,fsi,fsharpi,csi.exe/-e,--eval,--exec:code-file',
  'php-cgi,hhvm,psysh/-r,-e',
  'wish,tclsh8,expectk/-c',
]

/** Sub-commands that take code. */
const CODE_VERBS =
  'crystal/eval deno/repl wp/eval wp/eval-file drush/php:eval drush/ev drush/eval nim/e v/run elixir/eval mix/run jbang/run swift/repl dotnet/fsi artisan/tinker'

function interpreter(options: string): Program {
  const list = options
    .split(',')
    .map(option => (option.includes(':') ? option : `${option}:code`))
    .join(' ')
  return { options: list, stops: true, exactNames: true, operands: 'script' }
}

export const interpreterTable: ProgramTable = {
  ...Object.fromEntries(
    CODE.flatMap(row => {
      const [names = '', options = ''] = row.split('/')
      return names.split(',').map((name): [string, Program] => [name, interpreter(options)])
    }),
  ),
  ...codeVerbs(),
}

function codeVerbs(): ProgramTable {
  const found: Record<string, Program> = {}
  for (const pair of CODE_VERBS.split(' ')) {
    const [name = '', verb = ''] = pair.split('/')
    found[name] = { exactNames: true, verbs: { ...found[name]?.verbs, [verb]: { danger: 'runs the code it is given' } } }
  }
  return found
}
