// Programs that run another command. `transparent`: the inner command decides alone; `gate`: an allow rule must name the wrapper.
// An option that is not listed here keeps the whole from being allowed: its value could be taken for the command.
import type { Program, ProgramTable } from './program.ts'
import { gate, transparent } from './wrap.ts'

const SUDO =
  '-u,--user:value -g,--group:value -h,--host:value -p,--prompt:value -C,--close-from:value -D,--chdir:danger-value -r,--role:value -t,--type:value ' +
  '-T,--command-timeout:value -U,--other-user:value -R,--chroot:danger-value -A,--askpass -b,--background -B,--bell -E,--preserve-env:maybe -H,--set-home ' +
  '-k,--reset-timestamp -K,--remove-timestamp -l,--list -n,--non-interactive -N,--no-update -P,--preserve-groups -S,--stdin -v,--validate -V,--version -e,--edit:danger -i,--login -s,--shell --help'

/** `-5`, `-15`, `--5`: how nice it is. */
const NICE = Array.from({ length: 21 }, (_, step) => `-${step} --${step}`).join(' ')

const PERF =
  '-a -c,--count:value -C,--cpu:value -d,--detailed -e,--event:value -F,--freq:value -g -i -n,--null -o,--output:write -p,--pid:value -q,--quiet -r,--repeat:value -s,--summary -t,--tid:value -v,--verbose -x:value --call-graph:value --delay:value'

const BWRAP =
  '--bind,--ro-bind,--dev-bind,--bind-try,--ro-bind-try,--dev-bind-try,--symlink,--setenv,--chmod,--file,--bind-data,--ro-bind-data,--overlay:named-value --chdir:directory --args:danger-value ' +
  '--proc,--dev,--tmpfs,--mqueue,--dir,--remount-ro,--unsetenv,--uid,--gid,--hostname,--lock-file,--sync-fd,--seccomp,--cap-add,--cap-drop,--perms,--size,--exec-label,--file-label,--info-fd,--argv0,--userns,--pidns,--overlay-src,--ro-overlay,--tmp-overlay:value ' +
  '--unshare-all --unshare-user --unshare-user-try --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup --unshare-cgroup-try --share-net --die-with-parent --new-session --as-pid-1 --clearenv --level-prefix --disable-userns'

/** One file that is many programs: its first word says which. */
const MULTI_CALL = 'busybox busybox-static toybox toybox-static coreutils uutils uutils-coreutils rust-coreutils sbase-box ubase-box 9'

export const wrapperTable: ProgramTable = {
  command: transparent('-p -v -V'),
  builtin: transparent(''),
  exec: transparent('-c -l -a:value'),
  time: transparent('-p -f,--format:value -o,--output:write -a,--append -v,--verbose -q,--quiet --portability'),
  timeout: transparent('-k,--kill-after:value -s,--signal:value --foreground --preserve-status -v,--verbose -p -f', { skip: 1 }),
  gtimeout: transparent('-k,--kill-after:value -s,--signal:value --foreground --preserve-status -v,--verbose', { skip: 1 }),
  nice: transparent(`-n,--adjustment:value ${NICE}`),
  ionice: transparent('-c,--class:value -n,--classdata:value -p,--pid:value -P,--pgid:value -t,--ignore -u,--uid:value'),
  nohup: transparent('--help --version'),
  stdbuf: transparent('-i,--input:value -o,--output:value -e,--error:value'),
  unbuffer: gate('-p'),
  setsid: transparent('-c,--ctty -f,--fork -w,--wait'),
  caffeinate: gate('-d -i -m -s -u -t:value -w:value'),
  chrt: gate('-a -b -d -f -i -o -r -m -v -R -T:value -P:value -D:value', { skip: 1 }),
  taskset: gate('-a,--all-tasks -c,--cpu-list -p,--pid', { skip: 1 }),
  env: transparent(
    '-i,--ignore-environment -u,--unset:unset -0,--null -C,--chdir:directory -S,--split-string:env-split -v,--debug --block-signal:maybe --default-signal:maybe --ignore-signal:maybe --help --version',
    {
      assigns: true,
    },
  ),
  xargs: transparent(
    '-0,--null -a,--arg-file:read -d,--delimiter:value -E:value -e,--eof:maybe -I:value -i,--replace:maybe -L:value -l,--max-lines:maybe -n,--max-args:value -P,--max-procs:value ' +
      '-o,--open-tty -p,--interactive --process-slot-var:value -r,--no-run-if-empty -s,--max-chars:value --show-limits -t,--verbose -x,--exit -R:value -S:value -J:value',
    { appends: true },
  ),
  sudo: gate(SUDO, { assigns: true, startsShell: true }),
  doas: gate('-C:danger-value -u:value -L -n -s -a:value', { assigns: true, startsShell: true }),
  pkexec: gate('--user:value --disable-internal-agent --keep-cwd'),
  runuser: gate(
    '-u,--user:value -g,--group:value -G,--supp-group:value -l,--login -m,-p,--preserve-environment -s,--shell:value -c,--command:shell -f,--fast -P,--pty',
  ),
  su: {
    wrapper: 'gate',
    startsShell: true,
    options:
      '-c,--command:shell --session-command:shell -l,--login -m,-p,--preserve-environment -s,--shell:value -g,--group:value -G,--supp-group:value -f,--fast -P,--pty -w,--whitelist-environment:value',
  },
  chroot: gate('--userspec:value --groups:value --skip-chdir', { skip: 1, startsShell: true }),
  unshare: gate(
    '-i,--ipc:maybe -m,--mount:maybe -n,--net:maybe -p,--pid:maybe -u,--uts:maybe -U,--user:maybe -C,--cgroup:maybe -T,--time:maybe -f,--fork --kill-child:maybe --mount-proc:maybe ' +
      '-r,--map-root-user -c,--map-current-user --map-user:value --map-group:value --map-auto --propagation:value --setgroups:value --keep-caps -R,--root:value -w,--wd:value -S,--setuid:value -G,--setgid:value',
    { startsShell: true },
  ),
  nsenter: gate(
    '-a,--all -t,--target:value -m,--mount:maybe -u,--uts:maybe -i,--ipc:maybe -n,--net:maybe -p,--pid:maybe -C,--cgroup:maybe -U,--user:maybe -T,--time:maybe -S,--setuid:value -G,--setgid:value ' +
      '--preserve-credentials -r,--root:maybe -w,--wd:maybe -W,--wdns:value -e,--env -F,--no-fork -Z,--follow-context',
    { startsShell: true },
  ),
  setpriv: gate(
    '--reuid:value --regid:value --clear-groups --keep-groups --init-groups --groups:value --no-new-privs --inh-caps:value --ambient-caps:value --bounding-set:value --reset-env',
  ),
  capsh: gate('--drop:value --user:value --uid:value --gid:value', { danger: 'starts a shell by its own options' }),
  bwrap: gate(BWRAP, { danger: 'runs a command in a sandbox it describes itself', reader: 'binds' }),
  firejail: gate('--quiet --noprofile --net:maybe --private:maybe'),
  strace: gate(
    '-f,--follow-forks -ff -c,--summary-only -C,--summary -t -tt -T -r -y -yy -v -x -xx -q,--quiet:maybe -k -w -i -D -Z -z -n -h -V -e,--trace:value -o,--output:write -p,--attach:value -s,--string-limit:value ' +
      '-E,--env:value -u,--user:value -a,--columns:value -b:value -O:value -S,--summary-sort-by:value -P,--trace-path:value -I:value -X:value -U:value',
  ),
  ltrace: gate(
    '-f -c -C -i -L -r -S -t -tt -T -V -h -x:value -e:value -o,--output:write -p:value -s:value -l,--library:value -n,--indent:value -a,--align:value -A:value -D:value -F:read -u:value -w:value',
  ),
  valgrind: gate('-q,--quiet -v,--verbose', { danger: 'its many options can name programs and files' }),
  gdb: gate('', { danger: 'runs commands of its own' }),
  perf: {
    stops: true,
    danger: 'runs a command by its sub-command',
    verbs: Object.fromEntries(
      'stat record trace bench mem lock kmem sched c2c ftrace kvm'.split(' ').map((verb): [string, Program] => [verb, gate(PERF)]),
    ),
  },
  watch: {
    wrapper: 'gate',
    stops: true,
    operands: 'shell',
    options:
      '-n,--interval:value -d,--differences:maybe -g,--chgexit -t,--no-title -b,--beep -e,--errexit -p,--precise -c,--color -C,--no-color -w,--no-wrap -x,--exec -q,--equexit:value -r,--no-rerun',
  },
  flock: gate(
    '-s,--shared -x,-e,--exclusive -u,--unlock -n,--nb,--nonblock -w,--wait,--timeout:value -E,--conflict-exit-code:value -o,--close -c,--command:shell -F,--no-fork --verbose',
    { skip: 1, skipUse: 'lock' },
  ),
  script: {
    wrapper: 'gate',
    options:
      '-a,--append -c,--command:shell -e,--return -f,--flush --force -q,--quiet -t,--timing:maybe -E,--echo:value -o,--output-limit:value -I,--log-in:write -O,--log-out:write -B,--log-io:write -T,--log-timing:write -m,--logging-format:value',
    operands: 'command',
    skip: 1,
    skipUse: 'write',
    startsShell: true,
  },
  parallel: {
    wrapper: 'gate',
    reader: 'parallel',
    stops: true,
    options:
      '-j,--jobs,-P,--max-procs:value -k,--keep-order -0,--null -n,--max-args,-N:value -I:value -a,--arg-file:read --bar --eta --dry-run --dryrun -q,--quote -v,--verbose -t --halt,--halt-on-error:value --joblog:write --results:write-own --tag --timeout:value --retries:value --delay:value -d,--delimiter:value -C,--colsep:value -X -m --pipe --will-cite --no-notice --progress --line-buffer,--lb --ungroup,-u --group --no-run-if-empty,-r',
  },
  ...Object.fromEntries(MULTI_CALL.split(' ').map(name => [name, gate('')])),
  'systemd-run': gate(
    '--user --system --scope -u,--unit:value -p,--property:value --description:value --slice:value -r,--remain-after-exit --send-sighup --uid:value --gid:value --nice:value --working-directory:value -d,--same-dir ' +
      '-E,--setenv:value -t,--pty -P,--pipe -q,--quiet -G,--collect -S,--shell --wait --no-block --no-ask-password --on-calendar:value --on-active:value --on-boot:value --timer-property:value -M,--machine:value -H,--host:value',
  ),
  'dbus-run-session': gate('--config-file:read --dbus-daemon:words'),
  'xvfb-run': gate(
    '-a,--auto-servernum -n,--server-num:value -s,--server-args:value -e,--error-file:write -f,--auth-file:value -l,--listen-tcp -w,--wait:value -p,--xauth-protocol:value --auto-display -d',
  ),
  dotenv: gate('-e:read -c:maybe -v:value -o,--override -f,--file:read', { verbs: { run: gate('') } }),
  'cross-env': gate('', { assigns: true }),
  entr: gate('-a -c -d -n -p -r -s:shell -x -z'),
  chronic: gate('-v -e'),
  torsocks: gate(''),
  proxychains: gate('-q -f:read'),
  proxychains4: gate('-q -f:read'),
  faketime: gate('-m -p:value -f', { skip: 1 }),
}
