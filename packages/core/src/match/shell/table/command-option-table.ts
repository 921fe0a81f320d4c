// Programs that take code or a command line by an option.
import type { Program, ProgramTable } from './program.ts'

/** Interpreters: an option for code, and a file of code as operand. */
const interpreter = (options: string): Program => ({ options, stops: true, operands: 'script' })

/** `name/option`: the option's value is code of the program's own language. */
const CODE =
  'stap/-e dtrace/-n chef-apply/-e swipl/-g,-t zx/--eval poly/--eval tarantool/-e influx/-execute ranger/--cmd vifm/-c lf/-command newsboat/-x weechat/-r irssi/-e gs/-c lein/-e'

/** `name/option`: the option's value is a shell command line. */
const SHELL =
  'bazel/--run_under bazelisk/--run_under sbatch/--wrap latexmk/-pdflatex,-latex,-e asciinema/-c,--command ttyrec/-e termtosvg/-c ' +
  'borg/--rsh restic/--password-command rdiff-backup/--remote-schema unison/-sshcmd cvs/-e darcs/--external-merge msmtp/--passwordeval fetchmail/-m,--mda'

function optionRows(text: string, use: 'code' | 'shell'): ProgramTable {
  return Object.fromEntries(
    text.split(' ').map((entry): [string, Program] => {
      const [name = '', names = ''] = entry.split('/')
      return [name, use === 'code' ? interpreter(`${names}:code`) : { options: `${names}:shell` }]
    }),
  )
}

/** Each writes what the text it is given says, as git apply does. */
const PATCHES: Program = {
  options:
    '-p,--strip:value -b,--base:value -m,--message:value -u,--user:value -d,--date:value -n,--name:value -f,--force -q,--quiet --dry-run',
  reader: 'patch',
  operands: 'read',
}

export const commandOptionTable: ProgramTable = {
  ...optionRows(CODE, 'code'),
  ...optionRows(SHELL, 'shell'),
  hg: { options: '--ssh,--remotecmd,--tool,-e:shell', verbs: { import: PATCHES, patch: PATCHES } },
  svn: {
    options: '--diff-cmd,--diff3-cmd,--merge-cmd,--editor-cmd:shell --config-option:danger-value --config-dir:danger-value',
    verbs: { patch: PATCHES },
  },
  stg: { verbs: { import: PATCHES, fold: PATCHES } },
  bzr: { verbs: { patch: PATCHES } },
  brz: { same: 'bzr' },
  apt: { options: '-o,--option:danger-value -c,--config-file:danger-value -y,--yes -q -s -t:value' },
  'apt-get': { same: 'apt' },
  aptitude: { same: 'apt' },
  pdflatex: {
    options:
      '-shell-escape:danger --shell-escape:danger -enable-write18:danger -output-directory,--output-directory:into -jobname,--jobname:value -interaction:value -halt-on-error -synctex:value',
    operands: 'read',
    singleDash: true,
  },
  xelatex: { same: 'pdflatex' },
  lualatex: { same: 'pdflatex' },
  pdftex: { same: 'pdflatex' },
  luatex: { same: 'pdflatex' },
  etex: { same: 'pdflatex' },
  pdfetex: { same: 'pdflatex' },
  platex: { same: 'pdflatex' },
  uplatex: { same: 'pdflatex' },
  xetex: { same: 'pdflatex' },
  tectonic: { options: '-Z:danger-value -o,--outdir:into', operands: 'read' },
  latex: { same: 'pdflatex' },
  tex: { same: 'pdflatex' },
  i3: { danger: 'runs the command it is given' },
  'i3-msg': { danger: 'runs the command it is given' },
  swaymsg: { danger: 'runs the command it is given' },
  xdotool: { danger: 'runs commands and types for the person' },
  dconf: { danger: 'changes settings that start programs' },
  gsettings: { danger: 'changes settings that start programs' },
}
