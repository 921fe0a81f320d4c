// Programs that take code or a command line by an option.
import type { Program, ProgramTable } from './program.ts'

/** Interpreters: an option for code, and a file of code as operand. */
const interpreter = (options: string): Program => ({ options, stops: true, operands: 'script' })

/** `name/option`: the option's value is code of the program's own language. */
const CODE =
  'gnuplot/-e octave/--eval,-e ghci/-e ghc/-e runghc/-e ocaml/-e sbcl/--eval clisp/-x ecl/--eval racket/-e guile/-c,-e raku/-e swift/-e jruby/-e jython/-c micropython/-c bb/-e janet/-e fennel/-e ' +
  'clojure/-e clj/-e iex/-e mix/-e,--eval lein/-e groovysh/-e stap/-e dtrace/-n chef-apply/-e newlisp/-e swipl/-g,-t maxima/--batch-string sage/-c esno/-e zx/--eval bpython/-c ptpython/-c kotlin/-e ' +
  'coffee/-e,--eval csi/-e,-eval gosh/-e nim/--eval poly/--eval tarantool/-e redis-cli/--eval mongosh/--eval mongo/--eval cqlsh/-e clickhouse-client/-q,--query influx/-execute ' +
  'pry/-e ranger/--cmd vifm/-c lf/-command newsboat/-x weechat/-r irssi/-e gs/-c'

/** `name/option`: the option's value is a shell command line. */
const SHELL =
  'bazel/--run_under bazelisk/--run_under sbatch/--wrap latexmk/-pdflatex,-latex,-e asciinema/-c,--command ttyrec/-e termtosvg/-c ' +
  'borg/--rsh restic/--password-command rdiff-backup/--remote-schema unison/-sshcmd svn/--diff-cmd,--diff3-cmd,--editor-cmd hg/--ssh,--remotecmd,--tool,-e cvs/-e darcs/--external-merge msmtp/--passwordeval fetchmail/-m,--mda'

function optionRows(text: string, use: 'code' | 'shell'): ProgramTable {
  return Object.fromEntries(
    text.split(' ').map((entry): [string, Program] => {
      const [name = '', names = ''] = entry.split('/')
      return [name, use === 'code' ? interpreter(`${names}:code`) : { options: `${names}:shell` }]
    }),
  )
}

export const commandOptionTable: ProgramTable = {
  ...optionRows(CODE, 'code'),
  ...optionRows(SHELL, 'shell'),
  rake: {
    options:
      '-e,--execute:code -E,--execute-continue:code -p,--execute-print:code -r,--require:danger-value -f,--rakefile:rules -R:value -I:value',
    exactNames: true,
  },
  apt: { options: '-o,--option:danger-value -c,--config-file:danger-value -y,--yes -q -s -t:value' },
  'apt-get': { same: 'apt' },
  aptitude: { same: 'apt' },
  mvn: {
    options:
      '-D,--define:danger-value -f,--file:rules -s,--settings:danger-value -gs:danger-value -q -B -U -o -P:value -pl:value -am -e -X -N',
  },
  gradle: {
    options:
      '-I,--init-script:danger-value -b,--build-file:rules -c,--settings-file:rules -p,--project-dir:value -D:value -P:value -q -i -d',
  },
  ant: { options: '-f,-file,-buildfile:rules -logger:danger-value -listener:danger-value -lib:danger-value', singleDash: true },
  pdflatex: {
    options:
      '-shell-escape:danger --shell-escape:danger -enable-write18:danger -output-directory,--output-directory:into -jobname,--jobname:value -interaction:value -halt-on-error -synctex:value',
    operands: 'read',
    singleDash: true,
  },
  xelatex: { same: 'pdflatex' },
  lualatex: { same: 'pdflatex' },
  latex: { same: 'pdflatex' },
  tex: { same: 'pdflatex' },
  i3: { danger: 'runs the command it is given' },
  'i3-msg': { danger: 'runs the command it is given' },
  swaymsg: { danger: 'runs the command it is given' },
  xdotool: { danger: 'runs commands and types for the person' },
  dconf: { danger: 'changes settings that start programs' },
  gsettings: { danger: 'changes settings that start programs' },
}
