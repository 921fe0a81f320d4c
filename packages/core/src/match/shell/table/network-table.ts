// Network and remote programs.
import type { ProgramTable } from './program.ts'

const CURL =
  '-o,--output:write -O,--remote-name:flag --remote-name-all -J,--remote-header-name --output-dir:write -D,--dump-header:write -c,--cookie-jar:write --trace:write --trace-ascii:write --stderr:write --etag-save:write --hsts:write --alt-svc:write --libcurl:write ' +
  '-K,--config:danger-value -d,--data,--data-ascii:upload --data-binary:upload --data-raw:value --data-urlencode:upload --json:upload -F,--form:upload --form-string:value -T,--upload-file:read -b,--cookie:value -H,--header:upload -A,--user-agent:value -e,--referer:value ' +
  '-u,--user:value -U,--proxy-user:value -x,--proxy:value -X,--request:value -m,--max-time:value --connect-timeout:value --retry:value --retry-delay:value --retry-max-time:value -w,--write-out:value -E,--cert:read --key:read --cacert:read --capath:value --resolve:value --connect-to:value ' +
  '--limit-rate:value -r,--range:value -C,--continue-at:value -z,--time-cond:value -y:value -Y:value --interface:value --max-redirs:value --url:value --unix-socket:read --abstract-unix-socket:value --netrc-file:read -Q,--quote:value -t:value -P,--ftp-port:value --ciphers:value --aws-sigv4:value --variable:value --expand-url:value ' +
  '-s,--silent -S,--show-error -L,--location -f,--fail --fail-with-body -i,--include -I,--head -k,--insecure -v,--verbose -N,--no-buffer -n,--netrc -g,--globoff -G,--get -q,--disable -a,--append -j -l -R -4 -6 -0 -1 -2 -3 -# --compressed --http1.1 --http2 -V,--version -h,--help -Z,--parallel --create-dirs --no-progress-meter'

const SSH_LIKE =
  '-o:ssh-option -F:danger-value -i:read -J:value -c:value -l:value -S:words -D:value -P:value -X:value -B -C -p -q -r -v -3 -4 -6 -A -a -O -R -s -T'

const OPENSSL =
  '-in:read -out:write -inkey:read -key:read -cert:read -certfile:read -CAfile:read -CA:read -CAkey:read -CAserial:read -config:read -extfile:read -keyout:write -signature:read -sigfile:read -prverify:read -verify:read -sign:read -kfile:read -file:read -data:read -rand:read -writerand:write -signer:read -recip:read -content:read -certsout:write -pass:value -passin:value -passout:value -k:value -K:value -iv:value -subj:value -days:value -connect:value -newkey:value -name:value -inform:value -outform:value -engine:danger-value'
/** Print what they are, or what a file that is public holds; they write where an option says so. */
const OPENSSL_LOOKS = 'version help list errstr ciphers x509 verify crl asn1parse dgst md5 sha1 sha224 sha256 sha384 sha512 rand prime'

export const networkTable: ProgramTable = {
  curl: { options: CURL, exactNames: true, operands: 'download' },
  wget: {
    options:
      '-O,--output-document:write -o,--output-file:write -a,--append-output:write -P,--directory-prefix:write --save-cookies:write --warc-file:write --use-askpass:words --config:danger-value -e,--execute:danger-value -i,--input-file:read --post-file:read --body-file:read ' +
      '--post-data:value --body-data:value --header:value -U,--user-agent:value --user:value --password:value -t,--tries:value -T,--timeout:value -w,--wait:value -l,--level:value -A,--accept:value -R,--reject:value -D,--domains:value -I:value -X:value -Q,--quota:value --limit-rate:value --method:value --load-cookies:read --ca-certificate:read --certificate:read --private-key:read --hsts-file:write --rejected-log:write ' +
      '-q,--quiet -v -nv -c,--continue -N,--timestamping -S,--server-response -r,--recursive -k -K -m -p -nc -nd -x -np -4 -6 -b -d -F -E -H -L -nH --content-disposition --trust-server-names --spider --no-check-certificate',
    operands: 'download',
  },
  aria2c: {
    options:
      '-o,--out:write -d,--dir:write -i,--input-file:read --on-download-complete:words --on-download-start:words --on-download-error:words --conf-path:danger-value -x:value -s:value -j:value -c -l,--log:write',
    operands: 'download',
  },
  axel: { options: '-o,--output:write -n,--num-connections:value -q -v -a', operands: 'download' },
  http: {
    options: '-o,--output:write -d,--download --session:write -a,--auth:value -A:value -p:value -f,--form -j,--json',
    reader: 'http-items',
    operands: 'data',
  },
  https: { same: 'http' },
  xh: { same: 'http' },
  xhs: { same: 'http' },
  httpie: { same: 'http' },
  rsync: {
    options:
      '-e,--rsh:shell --rsync-path:shell --files-from:read --include-from:read --exclude-from:read --password-file:read --log-file:write --write-batch:write --only-write-batch:write --read-batch:read -T,--temp-dir:write --partial-dir:write --backup-dir:write --config:danger-value -M,--remote-option:danger-value ' +
      '--include:value --exclude:value -f,--filter:value --chmod:value --chown:value --bwlimit:value --port:value --timeout:value --max-size:value --min-size:value -B:value --suffix:value --out-format:value --compare-dest:value --copy-dest:value --link-dest:value --info:value --debug:value ' +
      '-a,--archive -v,--verbose -z,--compress -r,--recursive -n,--dry-run -P -h -u,--update -l -L -p -t -g -o -D -H -A -X -x -q -c,--checksum -i -R -b -d -O -J -W -S -s -I -C -F -0 -E -k -K -m -y -4 -6 --delete --delete-after --delete-excluded --progress --stats --partial --inplace --append --existing --ignore-existing --remove-source-files --size-only --no-perms --mkpath',
    operands: 'copy',
  },
  scp: { options: SSH_LIKE, operands: 'copy' },
  sftp: { options: `${SSH_LIKE} -b:danger-value`, operands: 'copy' },
  'ssh-keygen': {
    reader: 'key-file',
    options:
      '-f:write -D:danger-value -s:value -t:value -b:value -C:value -N:value -P:value -m:value -O:value -I:value -Y:value -n:value -q -y -l -e -i -R:value -F:value -w:danger-value',
  },
  'ssh-add': { options: '-s:danger-value -e:danger-value -t:value -d -D -l -L -k -K', operands: 'read' },
  'ssh-copy-id': { options: '-i:read -p:value -o:ssh-option -f -n -s' },
  nc: {
    options:
      '-e:words -c:shell --exec:words --sh-exec:shell --lua-exec:code-file -p:value -s:value -w:value -l -u -v -z -n -k -q:value -X:value -x:value -U -i:value -o,--output:write',
  },
  ncat: { same: 'nc' },
  netcat: { same: 'nc' },
  socat: { danger: 'its addresses can run programs and open files', reader: 'address', options: '-lf:write -r:write -R:write' },
  telnet: {},
  ftp: { danger: 'runs a script of its own' },
  openssl: {
    singleDash: true,
    stops: true,
    verbs: Object.fromEntries(OPENSSL_LOOKS.split(' ').map(verb => [verb, { singleDash: true, options: OPENSSL, operands: 'read' }])),
    otherVerb: { danger: 'its sub-commands read keys and write files', singleDash: true, options: OPENSSL, operands: 'read' },
  },
  gpg: {
    options:
      '-o,--output:write -r,--recipient:value -u,--local-user:value --homedir:danger-value --options:danger-value --passphrase-file:read --import:flag --export -d,--decrypt -e,--encrypt -s,--sign -b -a,--armor --batch --yes -k -K --exec-path:danger-value --photo-viewer:shell --keyserver:value --passphrase:value',
    operands: 'read',
  },
  dig: { options: '-f:read -k:read -p:value -q:value -t:value -x:value', operands: 'data' },
  tcpdump: { options: '-z:words -w:write -r:read -F:read -i:value -c:value -G:value -C:value -s:value', operands: 'data' },
  nmap: { options: '--script:danger-value -oN:write -oX:write -oG:write -oA:write -iL:read -p:value', operands: 'data' },
}
