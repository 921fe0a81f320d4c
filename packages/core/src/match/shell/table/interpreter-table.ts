// Interpreters that few people have: which option takes code. `name/options`, names with the same options side by side.
import type { Program, ProgramTable } from './program.ts'

const CODE = [
  'guile,guile3,gosh,csi,chicken-csi,kawa,bigloo,chibi-scheme,stklos,chez,petite,scheme,mit-scheme,gambit,gsi,sagittarius,cyclone/-c,-e,--eval,-eval,-x,-l:danger-value,--load:danger-value,--script:code-file,-f:code-file',
  'racket,gracket/-e,--eval,-p:code,-l:danger-value,-r:danger-value,-f:code-file,--load:code-file,-u:code-file,--require-script:code-file,-t:danger-value,-k:danger-value,-m:danger-value',
  'sbcl,ecl,ccl,ccl64,lx86cl64,abcl,clisp,lisp,cmucl,clasp,ros,mkcl,gcl,alisp/--eval,-eval,-e,-x,--load:danger-value,-load:danger-value,-l:danger-value,-i:danger-value,--script:code-file',
  'ghc,ghci,runghc,runhaskell,stack-runghc/-e',
  'ocaml,utop,rescript/-e',
  'clojure,clj,bb,planck,lumo,joker,babashka,nbb,boot,scittle/-e,--eval,-M:danger-value,-X:danger-value',
  'coffee,livescript,lsc,ts-node-esm,esno,esmo,tsno,sucrase,babel-node7,xs,engine262,gjs,seed,cjs,phantomjs,slimerjs,electron,nw,swc-node,sucrase-node,babel-node,vite-node,jiti,iojs,qjs,d8,js,njs,mujs,tjs,hermes,v8,jsc,rhino,graaljs/-e,--eval,-p:code,--print:code,-r:danger-value',
  'jruby,truffleruby,mruby,rubinius,rbx,pry,macruby/-e,-r:danger-value',
  'jython,micropython,circuitpython,stackless,pyston,graalpy,hy,hython,coconut,ptpython,bpython,sage,cpython/-c,-m:module',
  'raku,perl6,rakudo,cperl/-e,-M:danger-value',
  'swift,kotlin,kotlinc,ki,scala-cli,amm,groovysh,jrunscript,jjs,jbang/-e,-c',
  'octave,octave-cli,scilab,scilab-cli,maxima,gp,gap,magma,matlab,wolframscript,math,yacas/--eval,-e,-r:code,-batch:code,-code:code,-c:code',
  'gnuplot,gforth,pforth,pike,io,factor,janet,fennel,elvi,nickle,jimsh,picolisp,pil,newlisp,arc,lfe,iex,luau,texlua,moon,moonjit,ravi,terra,nu,nu-script,rebol,txr,root,cling,asy,v,dart,nimscript,r,littler,lr,elvish,xonsh,oil,murex,rexx,regina,dyalog,apl,ngn,k,q,j,jconsole/-e,-c,--eval',
  'mongo,mongosh,redis-cli,sqlcmd,usql,osqueryi,clickhouse-client,cqlsh,snowsql,sqlplus/--eval,--exec:statement,-e:statement,-c:statement,-Q:statement,--query:statement',
  'radare2,r2,rizin/-c,-i:danger-value',
  'blender/--python-expr,--python:code-file,-P:code-file',
  'dotnet-script,csharp,fsi,fsharpi,csi.exe/-e,--eval,--exec:code-file',
  'php-cgi,php-cli,hhvm,psysh,phpdbg/-r,-e,-B:code,-R:code,-E:code',
  'wish,tclsh8,expectk/-c',
  'hive,beeline,impala-shell,presto,trino,spark-sql,cockroach,ksql/-e:statement,--execute:statement,-f:code-file,--file:code-file',
  'pyinstrument,memray,kernprof,scalene,viztracer/-c,-m:module',
]

/** Sub-commands that take code. */
const CODE_VERBS =
  'crystal/eval drush/php-eval drush/php:script mpremote/exec mpremote/eval dotnet-script/eval dart/eval boot/eval context/--luacode hbase/shell wp/eval wp/eval-file drush/php:eval drush/ev drush/eval nim/e v/run jbang/run dotnet/fsi artisan/tinker'

function interpreter(options: string): Program {
  const list = options
    .split(',')
    .map(option => (option.includes(':') ? option : `${option}:code`))
    .join(' ')
  return { options: list, stops: true, exactNames: true, operands: 'script' }
}

export const interpreterTable: ProgramTable = readTable()

function readTable(): ProgramTable {
  const found: Record<string, Program> = {}
  for (const row of CODE) {
    const [names = '', options = ''] = row.split('/')
    const program = interpreter(options)
    for (const name of names.split(',')) found[name] = program
  }
  for (const pair of CODE_VERBS.split(' ')) {
    const [name = '', verb = ''] = pair.split('/')
    const verbs = { ...found[name]?.verbs, [verb]: { danger: 'runs the code it is given' } }
    found[name] = { exactNames: true, ...found[name], verbs }
  }
  return found
}
