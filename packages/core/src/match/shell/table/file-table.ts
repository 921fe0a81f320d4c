// Programs that read, write, move or remove the files they are given.
import type { ProgramTable } from './program.ts'

const SEVEN_ZIP = '-o:into -p:maybe -t:maybe -m:maybe -x:maybe -i:maybe -y -r:maybe -a:maybe -so -si:maybe -w:maybe -sdel -bd -mx:maybe'
const CHECKSUM = { options: '-b,--binary -c,--check -t,--text -z,--zero -a:value', operands: 'read' } as const

export const fileTable: ProgramTable = {
  cat: { options: '-A,--show-all -b -e -E -n,--number -s -t -T -u -v', operands: 'read' },
  bat: {
    options:
      '-l,--language:value -r,--line-range:value -H,--highlight-line:value --theme:value --style:value -n,--number -p,--plain -A --paging:value --pager:shell --color:value --wrap:value',
    operands: 'read',
  },
  tac: { options: '-b -r -s,--separator:value', operands: 'read' },
  nl: { options: '-b:value -d:value -f:value -h:value -i:value -l:value -n:value -s:value -v:value -w:value -p', operands: 'read' },
  head: { options: '-n,--lines:value -c,--bytes:value -q,--quiet -v,--verbose -z', operands: 'read' },
  tail: {
    options: '-n,--lines:value -c,--bytes:value -f -F --follow:maybe -q,--quiet -v -z -s,--sleep-interval:value --pid:value --retry -r',
    operands: 'read',
  },
  wc: { options: '-c -l -m -w -L --files0-from:read --total:value', operands: 'read' },
  cut: {
    options: '-b,--bytes:value -c,--characters:value -d,--delimiter:value -f,--fields:value -s -z --complement --output-delimiter:value',
    operands: 'read',
  },
  paste: { options: '-d,--delimiters:value -s -z', operands: 'read' },
  join: { options: '-1:value -2:value -a:value -e:value -j:value -o:value -t:value -v:value -i', operands: 'read' },
  comm: { options: '-1 -2 -3 -z --output-delimiter:value', operands: 'read' },
  uniq: { options: '-c -d -D -f,--skip-fields:value -s,--skip-chars:value -w,--check-chars:value -i -u -z', operands: 'copy' },
  sort: {
    options:
      '-o,--output:write --compress-program:words -t,--field-separator:value -k,--key:value -S,--buffer-size:value -T,--temporary-directory:write-own --files0-from:read --batch-size:value --parallel:value --random-source:read ' +
      '-b,--ignore-leading-blanks -c,--check:maybe -C -d,--dictionary-order -f,--ignore-case -g -h -i -M -m,--merge -n,--numeric-sort -R -r,--reverse -s,--stable -u,--unique -V -z',
    operands: 'read',
  },
  shuf: {
    options: '-o,--output:write -e,--echo -i,--input-range:value -n,--head-count:value --random-source:read -r -z',
    operands: 'read',
  },
  column: {
    options: '-t,--table -s,--separator:value -o,--output-separator:value -c:value -N:value -J -x -n:value -R:value -H:value',
    operands: 'read',
  },
  fold: { options: '-w:value -s -b', operands: 'read' },
  fmt: { options: '-w:value -s -u', operands: 'read' },
  rev: { operands: 'read' },
  strings: { options: '-n:value -a -e:value -t:value', operands: 'read' },
  xxd: { options: '-r -p,-ps -i -c:value -g:value -l:value -s:value -u -b -e -o:value', operands: 'copy' },
  hexdump: { options: '-C -n:value -s:value -e:value -f:read -v', operands: 'read' },
  od: { options: '-A:value -t:value -N:value -j:value -w:maybe -c -x -v', operands: 'read' },
  base64: { options: '-d,--decode -D -i,--ignore-garbage -w,--wrap:value -o:write', operands: 'read' },
  base32: { options: '-d,--decode -i -w,--wrap:value', operands: 'read' },
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha512sum: CHECKSUM,
  shasum: CHECKSUM,
  cksum: CHECKSUM,
  b2sum: CHECKSUM,
  diff: {
    options:
      '-u -U,--unified:value -c -C,--context:value -r,--recursive -q,--brief -w -b -i -y -N -a -s -x,--exclude:value -X,--exclude-from:read -I:value -L,--label:value -W,--width:value --color:maybe --from-file:read --to-file:read -F:value -S:value -D:value',
    operands: 'read',
  },
  cmp: { options: '-b -l -s -i:value -n:value', operands: 'read' },
  file: {
    options: '-C,--compile:danger -b -i -L -z -s -k -m,--magic-file:read -f,--files-from:read -F:value -e:value -P:value',
    operands: 'read',
  },
  date: {
    options: '-d,--date:value -f,--file:read -r,--reference:value -s,--set:danger-value -u,--utc -I:maybe -R --rfc-3339:value -j -v:value',
    reader: 'clock',
    operands: 'data',
  },
  du: {
    options: '--files0-from:read -X,--exclude-from:read --exclude:value -d,--max-depth:value -B:value -t:value -a -b -c -h -k -m -s -x',
  },
  jq: {
    options:
      '-n,--null-input -r,--raw-output -j -a -s,--slurp -c,--compact-output -C -M -S -e,--exit-status -R,--raw-input --tab --stream --seq --indent:value --arg:named-value --argjson:named-value --slurpfile:named-read --rawfile:named-read ' +
      '-f,--from-file:read -L:project --args --jsonargs --raw-output0',
    exactNames: true,
    operands: 'read-after-first',
  },
  yq: {
    options:
      '-i,--inplace:in-place -r -o,--output-format:value -p,--input-format:value -P -e -n -I,--indent:value -s,--split-exp:value --from-file:read -C -M -j -y',
    operands: 'read-after-first',
  },
  less: {
    options:
      '-o,--log-file:write -O,--LOG-FILE:write -k:danger-value --lesskey-file:danger-value --lesskey-src:danger-value -p:value -x:value -j:value -b:value -h:value -y:value -z:value -t:value -T:read -P:value -D:value',
    operands: 'read',
    reader: 'plus-command',
  },
  more: { options: '-d -f -l -p -c -s -u -n:value', operands: 'read', reader: 'plus-command' },
  tee: { options: '-a,--append -i,--ignore-interrupts -p --output-error:maybe', operands: 'write' },
  sponge: { options: '-a', operands: 'write' },
  touch: { options: '-a -c,--no-create -d,--date:value -f -h -m -r,--reference:value -t:value --time:value', operands: 'write' },
  truncate: { options: '-c -o -r,--reference:value -s,--size:value', operands: 'write' },
  fallocate: { options: '-l,--length:value -o,--offset:value -n -z -p -d', operands: 'write' },
  cp: {
    options:
      '-a,--archive -b --backup:maybe -d -f,--force -i,--interactive -H -l,--link -L,--dereference -n,--no-clobber -P -p --preserve:maybe --parents -R,-r,--recursive --reflink:maybe --remove-destination -s,--symbolic-link ' +
      '-S,--suffix:value -t,--target-directory:write-own -T,--no-target-directory -u,--update:maybe -v,--verbose -x --sparse:value -c -X',
    operands: 'copy',
  },
  mv: {
    options:
      '-b --backup:maybe -f,--force -i,--interactive -n,--no-clobber -S,--suffix:value -t,--target-directory:write-own -T,--no-target-directory -u,--update:maybe -v,--verbose',
    operands: 'move',
  },
  ln: {
    options:
      '-b --backup:maybe -d -f,--force -i -L -n,--no-dereference -P -r,--relative -s,--symbolic -S,--suffix:value -t,--target-directory:write-own -T -v,--verbose -h',
    operands: 'copy',
  },
  link: { operands: 'copy' },
  mount: {
    options:
      '-a,--all -B,--bind -R,--rbind -M,--move -c -f,--fake -F,--fork -i -l -n -o,--options:value -O:value -r,--read-only -w,--rw -s -t,--types:value -T,--fstab:danger-value -v --source:value --target:value -L:value -U:value -N,--namespace:value --mkdir:maybe',
    operands: 'link',
  },
  bindfs: { options: '-o:value -u:value -g:value -m:value -M:value -p:value -r -f -n', operands: 'link' },
  install: {
    options:
      '-b --backup:maybe -c -C -d,--directory -D -g,--group:value -m,--mode:value -o,--owner:value -p -s --strip-program:words -S,--suffix:value -t,--target-directory:write-own -T -v',
    operands: 'copy',
  },
  dd: { operands: 'assignments' },
  rm: {
    options:
      '-f,--force -i -I --interactive:maybe -r,-R,--recursive -d,--dir -v,--verbose --one-file-system --no-preserve-root --preserve-root:maybe',
    operands: 'write-own',
  },
  rmdir: { options: '-p,--parents -v --ignore-fail-on-non-empty', operands: 'write-own' },
  unlink: { operands: 'write-own' },
  shred: {
    options: '-f,--force -n,--iterations:value -s,--size:value -u,--remove:maybe -v -x -z --random-source:read',
    operands: 'write-own',
  },
  trash: { operands: 'write-own' },
  mkdir: { options: '-m,--mode:value -p,--parents -v,--verbose -Z:maybe', operands: 'write-own' },
  mkfifo: { options: '-m,--mode:value', operands: 'write-own' },
  mktemp: { options: '-d,--directory -u,--dry-run -q -p:value --tmpdir:maybe --suffix:value -t', operands: 'write-own' },
  mknod: { options: '-m,--mode:value -Z:maybe', operands: 'write-own' },
  chmod: { options: '-c -f -v -R,--recursive --reference:value --preserve-root', operands: 'write-own-after-first' },
  chown: { options: '-c -f -v -h -R,--recursive --reference:value --from:value -H -L -P', operands: 'write-own-after-first' },
  chgrp: { options: '-c -f -v -h -R,--recursive --reference:value', operands: 'write-own-after-first' },
  chattr: { options: '-R -V -f', operands: 'write-own-after-first' },
  setfacl: {
    options:
      '-m,--modify:value -x,--remove:value -M,--modify-file:read -X,--remove-file:read --restore:read --set:value --set-file:read -R,--recursive -b -k -d',
    operands: 'write-own',
  },
  split: {
    options:
      '-b,--bytes:value -l,--lines:value -n,--number:value -a,--suffix-length:value -d --additional-suffix:value --filter:shell -C:value -t:value --verbose',
    operands: 'copy',
  },
  csplit: {
    options:
      '-f,--prefix:write -b,--suffix-format:value -n,--digits:value -k,--keep-files -s,--quiet,--silent -z,--elide-empty-files --suppress-matched',
    operands: 'read',
  },
  iconv: { options: '-f,--from-code:value -t,--to-code:value -o,--output:write -c -s -l', operands: 'read' },
  dos2unix: { options: '-n,--newfile:write -k -q -f', operands: 'write' },
  unix2dos: { options: '-k -q -f', operands: 'write' },
  patch: {
    options:
      '-o,--output:write -r,--reject-file:write -i,--input:read -d,--directory:directory -p,--strip:value -b -B:value -F:value -N -R,--reverse -s -t -u -l -E -z:value --dry-run -V:value -c -e,--ed -n -f --verbose --posix',
    reader: 'patch',
    operands: 'rewrite',
  },
  apply_patch: { reader: 'patch', operands: 'data' },
  applypatch: { same: 'apply_patch' },
  tree: {
    options: '-o:write -L:value -I:value -P:value -a -d -f -i -l -s -h -H:value -T:value --filelimit:value --charset:value --fromfile',
  },
  gzip: {
    options: '-c,--stdout -d,--decompress -f,--force -k,--keep -l -n -N -q -r,--recursive -S,--suffix:value -t -v -1 -9',
    operands: 'compress',
  },
  gunzip: { options: '-c,--stdout -f -k,--keep -l -q -r -S:value -t -v', operands: 'compress' },
  bzip2: { options: '-c,--stdout -d,--decompress -f,--force -k,--keep -q -t,--test -v -z', operands: 'compress' },
  bunzip2: { same: 'bzip2' },
  uncompress: { same: 'gunzip' },
  compress: { same: 'gzip' },
  pigz: { same: 'gzip' },
  xz: {
    options: '-c,--stdout,--to-stdout -d,--decompress -f,--force -k,--keep -l,--list -q -t,--test -v -z -T:value -F:value --files:maybe',
    operands: 'compress',
  },
  unxz: { same: 'xz' },
  lzma: { same: 'xz' },
  unlzma: { same: 'xz' },
  zstd: {
    options: '-c,--stdout -d,--decompress -f,--force -k,--keep -l,--list -q -t,--test -v -o:write -D:read -T:value -r:flag --rm',
    operands: 'compress',
  },
  unzstd: { same: 'zstd' },
  lz4: { options: '-c,--stdout -d,--decompress -f,--force -k,--keep -q -t,--test -v -m', operands: 'compress' },
  brotli: {
    options: '-c,--stdout -d,--decompress -f,--force -k,--keep -t,--test -v -o,--output:write -S,--suffix:value',
    operands: 'compress',
  },
  zip: {
    options:
      '-T,--test -TT,--unzip-command:shell -r,--recurse-paths -q,--quiet -x,--exclude:value -i,--include:value -j,--junk-paths -m,--move -u,--update -f,--freshen -d,--delete -9 -P,--password:value -b,--temp-path:value -O,--output-file:write -lf,--logfile-path:write -@ -e -y -D -X -v',
    operands: 'pack',
  },
  unzip: { options: '-d:into -l -o -n -q -p -t -x:value -j -P:value -v -Z -c -u -f -a -C -L', operands: 'unpack' },
  '7z': {
    options: SEVEN_ZIP,
    verbs: {
      ...Object.fromEntries(['a', 'u', 'd', 'rn'].map(verb => [verb, { options: SEVEN_ZIP, operands: 'pack' as const }])),
      ...Object.fromEntries(['x', 'e'].map(verb => [verb, { options: SEVEN_ZIP, operands: 'unpack' as const }])),
      ...Object.fromEntries(['l', 't', 'h'].map(verb => [verb, { options: SEVEN_ZIP, operands: 'read' as const }])),
    },
  },
  '7za': { same: '7z' },
  '7zr': { same: '7z' },
  '7zz': { same: '7z' },
  rar: { same: '7z' },
  unrar: { same: '7z' },
  tar: {
    options:
      '-f,--file:archive -C,--directory:directory --to-command:shell --checkpoint-action:tar-action --checkpoint:maybe -I,--use-compress-program:words --rsh-command:words --rmt-command:words -F,--info-script,--new-volume-script:shell ' +
      '--one-top-level:maybe -T,--files-from:read --add-file:read -X,--exclude-from:read --exclude:value --transform,--xform,-s:value --strip-components:value --owner:value --group:value --mode:value --mtime:value -b,--blocking-factor:value ' +
      '-g,--listed-incremental:write -K,--starting-file:value -L,--tape-length:value -N,--newer:value -V,--label:value -H,--format:value --index-file:write --suffix:value --wildcards --exclude-vcs ' +
      '-c,--create -x,--extract,--get -t,--list -r,--append -u,--update -A,--catenate --delete:flag -z,--gzip -j,--bzip2 -J,--xz -Z,--compress -a,--auto-compress -v,--verbose -p,--preserve-permissions -k,--keep-old-files -O,--to-stdout -P,--absolute-names -h,--dereference -S,--sparse -W,--verify -w,--interactive -m,--touch -l --zstd --lzma --numeric-owner',
    reader: 'tar',
    operands: 'members',
  },
  gtar: { same: 'tar' },
  bsdtar: { same: 'tar' },
  jar: { same: 'tar' },
  cpio: { options: '-o -i -p -d -m -v -F:write -O:write -I:read -H:value --rsh-command:words --to-stdout', reader: 'stdin-names' },
  pax: { options: '-r -w -f:write -d -k -l -n -p:value -s:value -t -u -v -x:value -z', reader: 'stdin-names', operands: 'rewrite' },
  ar: { reader: 'ar' },
  'gcc-ar': { reader: 'ar' },
  'llvm-ar': { reader: 'ar' },
  history: { options: '-c -d:value -a:write -n:read -r:read -w:write -p -s' },
}
