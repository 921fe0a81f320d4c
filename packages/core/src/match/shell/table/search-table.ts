// Search, text editing and paging: programs whose options can run commands or write.
import type { ProgramTable } from './program.ts'

const GREP =
  '-e,--regexp:value -f,--file:read -A,--after-context:value -B,--before-context:value -C,--context:value -m,--max-count:value -d,--directories:value -D,--devices:value --include:read-pattern --exclude:value --exclude-dir:value ' +
  '--exclude-from:read --label:value --binary-files:value --color,--colour:maybe -E -F -G -P -i,--ignore-case -v,--invert-match -w -x -c,--count -l,--files-with-matches -L -n,--line-number -o,--only-matching -q,--quiet -s -h -H -r,--recursive -R -a -z -Z -b -u -U -T -y'

const AWK =
  '-f,--file:code-file -F,--field-separator:value -v,--assign:value -W:value -e,--source:code -i,--include:danger-value -l,--load:danger-value -E,--exec:code-file -b -c -C -d,--dump-variables:danger -D,--debug:danger -g -h -I -L:maybe -M -n -N -o,--pretty-print:danger -O -p,--profile:danger -P -r -s -S,--sandbox -t -V,--version --re-interval --posix --csv -k'

const VIM =
  '-c:editor-code --cmd:editor-code -S:code-file -s:code-file -u:code-file -U:code-file -i:read -w:write -W:write -T:value -p:maybe -o:maybe -O:maybe -t:value -q:read -r:maybe -R -e:danger -E:danger -es:danger -d -b -l -n -N -v -V:maybe -y -Z -g -f -h -x -X --noplugin --clean --startuptime:write --servername:value --remote-send:danger-value --remote-expr:danger-value --headless --embed --listen:value -l:code-file'
const MAN =
  '-P,--pager:shell -H,--html:shell-maybe -X,--gxditview:maybe -C,--config-file:danger-value -M,--manpath:value -S,-s,--sections:value -m,--systems:value -L,--locale:value -r,--prompt:value -p,--preprocessor:danger-value -R,--recode:value -E,--encoding:value -T,--troff-device:maybe -t -a -k -f -w -W -i -K -l,--local-file -u -d -D -7 -Z'

const rg =
  '--pre:words --hostname-bin:words --pre-glob:value -e,--regexp:value -f,--file:read -A,--after-context:value -B,--before-context:value -C,--context:value -g,--glob:read-pattern --iglob:read-pattern -t,--type:value -T,--type-not:value --type-add:read-type ' +
  '-m,--max-count:value -d,--max-depth:value -j,--threads:value -M,--max-columns:value -r,--replace:value -E,--encoding:value --sort:value --sortr:value --color:value --colors:value --ignore-file:read --path-separator:value --engine:value --max-filesize:value ' +
  '--context-separator:value --dfa-size-limit:value --regex-size-limit:value --generate:value --hyperlink-format:value -i -S -s -n -N -l -c -o -v -w -x -F -P -U -u -uu -L -z,--search-zip -a -H -I -0 -q -p,--pretty --hidden,-. --no-ignore --files --json --stats --vimgrep --trim --heading --no-heading --count-matches --files-with-matches --files-without-match --line-number --multiline --passthru --no-messages --no-config'

export const searchTable: ProgramTable = {
  grep: { options: GREP, operands: 'read-after-first' },
  egrep: { options: GREP, operands: 'read-after-first' },
  fgrep: { options: GREP, operands: 'read-after-first' },
  zgrep: { options: GREP, operands: 'read-after-first' },
  rg: { options: rg, exactNames: true, operands: 'read-after-first' },
  ag: {
    options:
      '--pager:shell -A:value -B:value -C:value -G,--file-search-regex:read-regex -g:value -m:value --ignore:value --ignore-dir:value --depth:value -p,--path-to-ignore:read -l -i -n -v -w -r',
    operands: 'read-after-first',
  },
  ack: {
    options:
      '--pager:shell --ackrc:danger-value -A:value -B:value -C:value -m:value --type,-t:value --type-set,--type-add:read-type --ignore-dir:value --output:value -l -i -v -w',
    operands: 'read-after-first',
  },
  find: { reader: 'find' },
  gfind: { reader: 'find' },
  fd: { reader: 'find' },
  fdfind: { reader: 'find' },
  locate: {},
  sed: {
    options:
      '-i,--in-place:in-place -e,--expression:sed-script -f,--file:code-file -E,-r,--regexp-extended -n,--quiet,--silent -s,--separate -u,--unbuffered -z,--null-data -l,--line-length:value -b --posix --debug --sandbox --follow-symlinks -I:in-place',
    reader: 'sed',
    operands: 'read-after-first',
  },
  gsed: { same: 'sed' },
  awk: { options: AWK, reader: 'awk', operands: 'read-after-first', stops: true },
  gawk: { same: 'awk' },
  mawk: { same: 'awk' },
  nawk: { same: 'awk' },
  vim: { options: VIM, reader: 'editor', operands: 'rewrite' },
  vi: { same: 'vim' },
  nvim: { same: 'vim' },
  view: { options: VIM, reader: 'editor', operands: 'read' },
  gvim: { same: 'vim' },
  rvim: { same: 'vim' },
  vimtutor: { same: 'vim' },
  'vim.tiny': { same: 'vim' },
  'vim.basic': { same: 'vim' },
  kak: { options: '-e:editor-code -E:editor-code -f:editor-code -n -q -c:value -p:value -s:value', operands: 'rewrite' },
  hx: { options: '-c,--config:danger-value -w,--working-dir:directory --log:write', operands: 'rewrite' },
  micro: { options: '-config-dir:danger-value', operands: 'rewrite' },
  joe: { operands: 'rewrite' },
  pico: { operands: 'rewrite' },
  mcedit: { operands: 'rewrite' },
  code: {
    options:
      '-d,--diff -g,--goto -n,--new-window -r,--reuse-window -w,--wait --user-data-dir:danger-value --extensions-dir:danger-value --install-extension:danger-value',
    exactNames: true,
    operands: 'rewrite',
  },
  subl: { operands: 'rewrite' },
  red: { same: 'ed' },
  ex: { options: VIM.replace('-s:code-file', '-s'), reader: 'editor', operands: 'rewrite' },
  vimdiff: { same: 'vim' },
  nvimdiff: { same: 'vim' },
  ed: { options: '-p:value -s -G', reader: 'editor', operands: 'rewrite', danger: 'runs an editing script' },
  emacs: {
    options: '--eval,-eval:code -l,--load:code-file --script:code-file -f,--funcall:danger-value --batch -nw -Q -q',
    operands: 'rewrite',
  },
  emacsclient: { options: '-e,--eval:code -n -c -t -nw -a,--alternate-editor:shell -s:value', operands: 'rewrite' },
  nano: { options: '-f,--rcfile:danger-value -s,--speller:words -B -C:value', operands: 'rewrite' },
  man: { options: MAN, operands: 'pages' },
  apropos: { options: MAN, operands: 'data' },
  info: { options: '-o,--output:write --init-file:danger-value --restore:danger-value', operands: 'data' },
  fzf: {
    options: '--preview:shell --bind:danger-value --listen:maybe -q,--query:value -f,--filter:value -m --height:value',
    operands: 'data',
  },
  delta: { options: '--pager:shell', operands: 'read' },
  ctags: { options: '-f,-o:write -L:read -R --options:danger-value', operands: 'data' },
  global: { options: '', operands: 'data' },
}
