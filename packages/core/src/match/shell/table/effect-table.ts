// Rarer programs by what they do with the files they are given: a name here turns a guess into knowledge.
import type { OperandUse, Program, ProgramTable } from './program.ts'

/** Print, compare, count, hash or send what they are given. */
const READERS =
  'pr sum expand unexpand tsort hd ptx look colrm ul col colcrt basenc uuencode zcat bzcat xzcat lzcat zstdcat lz4cat gzcat zless zmore bzless bzmore xzless ' +
  'zdiff zcmp bzdiff bzcmp xzdiff xzcmp diff3 colordiff wdiff dwdiff difft icdiff meld kdiff3 opendiff tkdiff objdump readelf nm size addr2line bc hexyl ' +
  'batcat most lv w3m lynx links elinks glow mdcat mdless chroma pygmentize highlight source-highlight enscript a2ps lp lpr md5 sha224sum sha384sum b3sum crc32 xxhsum rhash ' +
  'uchardet chardet identify mediainfo ffprobe jsonlint yamllint csvlook csvcut csvgrep csvstat csvsort csvjson cloc scc tokei ccat lolcat ccze tspin lnav multitail ' +
  'jless fx gron shellcheck hadolint actionlint markdownlint gpgv nroff troff groff mandoc msgcat zipinfo lsar pdfinfo pdfgrep catdoc antiword html2text ' +
  'xclip wl-copy pbcopy qrencode zbarimg tesseract say espeak lsattr getfattr getfacl json_pp xmlwf exiv2 vis unvis nkf datamash pv'
/** Sources are read, the last operand is written. */
const COPIERS = 'objcopy ditto pdftotext pdftops ps2pdf convert magick sox lame cwebp dwebp qpdf pdfseparate pdfunite rdiff gcp'
/** Read and write the files they are given. */
const REWRITERS =
  'black isort yapf rustfmt strip chrpath patchelf autopep8 autoflake fromdos todos mac2unix jpegoptim optipng pngquant exiftool mogrify'

const rows = (names: string, operands: OperandUse): ProgramTable =>
  Object.fromEntries(names.split(' ').map((name): [string, Program] => [name, { operands }]))

/** A formatter shows what it would do until an option lets it write. */
const FORMATTER =
  '-w,--write:in-place --fix:in-place -i:in-place --in-place:in-place -c,--config:read --check -l -d -o,--output,--output-file:write --plugin:danger-value --ignore-path:read --stdin-filepath:value --parser:value -q,--quiet -v'

export const effectTable: ProgramTable = {
  ...rows(READERS, 'read'),
  ...rows(COPIERS, 'copy'),
  ...rows(REWRITERS, 'rewrite'),
  ...Object.fromEntries(
    'rename prename perl-rename file-rename mmv'
      .split(' ')
      .map((name): [string, Program] => [name, { operands: 'write-own', reader: 'rename' }]),
  ),
  dc: { options: '-e,--expression:macro -f,--file:read', reader: 'macro', operands: 'read' },
  age: { options: '-o,--output:write -i,--identity:read -R,--recipients-file:read -r,--recipient:value -e -d -p -a', operands: 'read' },
  rage: { same: 'age' },
  ccrypt: { options: '-e -d -c -K:value -k:read -f -r', operands: 'rewrite' },
  pandoc: {
    options:
      '-o,--output:write -f,--from,-r:value -t,--to,-w:value -F,--filter:danger-value -L,--lua-filter:danger-value --template:read -H:read -B:read -A:read -c,--css:value --metadata-file:read -d,--defaults:danger-value --log:write --extract-media:into --pdf-engine:danger-value --pdf-engine-opt:danger-value -s',
    operands: 'read',
  },
  sdiff: { options: '-o,--output:write -w:value -s -l -i -b', operands: 'read' },
  ffmpeg: {
    options:
      '-i:read -f:value -c:value -vf:value -af:value -t:value -ss:value -map:value -r:value -b:value -y -n -loglevel:value -filter_script:read',
    singleDash: true,
    operands: 'write-own',
  },
  xmllint: { options: '--output,-o:write --schema:read --dtdvalid:read --relaxng:read --xpath:value --format --noout', operands: 'read' },
  xsltproc: { options: '-o,--output:write --stringparam:named-value --param:named-value', operands: 'read' },
  xmlstarlet: {
    operands: 'read',
    verbs: Object.fromEntries(['ed', 'edit'].map(verb => [verb, { options: '-L,--inplace:in-place', operands: 'format' as const }])),
  },
  mlr: {
    options: '-I:in-place --prepipe:shell --prepipex:shell --load:code-file --mload:code-file --from:read --icsv --ojson --json --csv -n',
    reader: 'miller',
    operands: 'read-after-first',
  },
  dasel: {
    options: '-f,--file:read -o,--out:write -r:value -w:value',
    operands: 'data',
    verbs: Object.fromEntries(
      ['put', 'delete'].map(verb => [
        verb,
        { options: '-f,--file:write -o,--out:write -r:value -w:value -t:value -v:value', operands: 'data' as const },
      ]),
    ),
  },
  gofmt: { options: '-w:in-place -l -d -s -e -r:value -cpuprofile:write', singleDash: true, operands: 'format' },
  goimports: { same: 'gofmt' },
  prettier: { options: FORMATTER, exactNames: true, operands: 'format' },
  'clang-format': { options: '-i:in-place --style:value --files:read -n', operands: 'format' },
  shfmt: { options: '-w,--write:in-place -l -d -i:value -s -ln:value', operands: 'format' },
  stylua: { options: '-c,--check -g:value', operands: 'rewrite' },
  esbuild: {
    options: '--outfile:write-own --outdir:into --metafile:write-own --mangle-cache:write-own --tsconfig:read --bundle --minify --watch',
    exactNames: true,
    operands: 'read',
  },
  eslint: {
    options:
      '-o,--output-file:write --fix:in-place -c,--config:read --rulesdir:danger-value --resolve-plugins-relative-to:danger-value --plugin:danger-value --parser:danger-value --ignore-path:read --cache-location,--cache-file:write -f,--format:value --ext:value --max-warnings:value --cache --quiet',
    exactNames: true,
    operands: 'format',
  },
  ruff: { options: '-o,--output-file:write --config:read', exactNames: true },
  rclone: {
    options: '--config:read --log-file:write --include-from:read --exclude-from:read --files-from:read -v -P',
    verbs: Object.fromEntries(['copy', 'sync', 'move', 'copyto', 'moveto'].map((verb): [string, Program] => [verb, { operands: 'copy' }])),
  },
  logger: { options: '-f,--file:read -p,--priority:value -t,--tag:value -n,--server:value -s -i', operands: 'data' },
  mail: { options: '-A,--attach:read -a:read -s:value -c:value -b:value -r:value', operands: 'data' },
  mailx: { same: 'mail' },
  mutt: { options: '-a:read -e:danger-value -F:danger-value -i:read -H:read -s:value -c:value -b:value', operands: 'data' },
  s3cmd: { options: '-c:read', operands: 'read' },
  gsutil: {
    options: '-m -q -o:danger-value',
    operands: 'read',
    verbs: Object.fromEntries(
      ['cp', 'mv', 'rsync'].map((verb): [string, Program] => [verb, { options: '-r -R -n -c -m', operands: 'copy' }]),
    ),
  },
  pg_dump: {
    options: '-f,--file:write -d,--dbname:value -h,--host:value -p,--port:value -U,--username:value -t,--table:value -F,--format:value',
    operands: 'data',
  },
  pg_dumpall: { same: 'pg_dump' },
  mysqldump: { options: '-r,--result-file:write -T,--tab:into -u,--user:value -h,--host:value', operands: 'data' },
  'mariadb-dump': { same: 'mysqldump' },
  mongodump: { options: '-o,--out:into --archive:write -d,--db:value --uri:value', operands: 'data' },
  aws: {
    verbs: { s3: { verbs: Object.fromEntries(['cp', 'mv', 'sync'].map((verb): [string, Program] => [verb, { operands: 'copy' }])) } },
  },
  rpm: { options: '-E,--eval:macro -D,--define:macro --pipe:shell -i -U -q -a -e --root:danger-value', operands: 'read' },
  rpmbuild: { options: '-E,--eval:macro -D,--define:macro', operands: 'read', danger: 'runs the scripts of a package' },
  dpkg: {
    options:
      '--pre-invoke:shell --post-invoke:shell --status-logger:shell -i,--install:danger --root:danger-value --admindir:danger-value --log:write -l -s -L -S --configure:danger',
    operands: 'read',
  },
}
