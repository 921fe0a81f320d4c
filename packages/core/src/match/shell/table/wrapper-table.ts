// Programs that run another command. `transparent`: the inner command decides alone; `gate`: an allow rule must name the wrapper.
// An option that is not listed here keeps the whole from being allowed: its value could be taken for the command.
import type { Program, ProgramTable } from './program.ts'

const transparent = (options: string, more: Program = {}): Program => ({ wrapper: 'transparent', operands: 'command', options, ...more })
const gate = (options: string, more: Program = {}): Program => ({ wrapper: 'gate', operands: 'command', options, ...more })

const SUDO =
  '-u,--user:value -g,--group:value -h,--host:value -p,--prompt:value -C,--close-from:value -D,--chdir:danger-value -r,--role:value -t,--type:value ' +
  '-T,--command-timeout:value -U,--other-user:value -R,--chroot:danger-value -A,--askpass -b,--background -B,--bell -E,--preserve-env:maybe -H,--set-home ' +
  '-k,--reset-timestamp -K,--remove-timestamp -l,--list -n,--non-interactive -N,--no-update -P,--preserve-groups -S,--stdin -v,--validate -V,--version -e,--edit:danger -i,--login -s,--shell --help'

const CONTAINER_RUN =
  '-d,--detach -i,--interactive -t,--tty --rm --init --privileged -P,--publish-all --read-only --no-healthcheck -q,--quiet --sig-proxy:maybe --oom-kill-disable ' +
  '-e,--env:value --env-file:read -v,--volume:value -w,--workdir:value -u,--user:value -p,--publish:value --name:value --network,--net:value --mount:value -h,--hostname:value ' +
  '-l,--label:value --label-file:read --entrypoint:words -m,--memory:value --memory-swap:value --cpus:value --cpuset-cpus:value -c,--cpu-shares:value --gpus:value --platform:value --pull:value ' +
  '--restart:value --add-host:value --cap-add:value --cap-drop:value --security-opt:value --shm-size:value --tmpfs:value --ulimit:value --device:value --dns:value --expose:value ' +
  '--ip:value --ipc:value --pid:value --userns:value --uts:value --log-driver:value --log-opt:value --link:value --stop-signal:value --stop-timeout:value --volumes-from:value ' +
  '--cidfile:write --cgroupns:value --runtime:value --sysctl:value --network-alias:value --health-cmd:value --group-add:value -a,--attach:value --arch:value --pod:value'

const CONTAINER_EXEC =
  '-d,--detach -i,--interactive -t,--tty --privileged -e,--env:value --env-file:read -w,--workdir:value -u,--user:value --detach-keys:value'
const CONTAINER_GLOBAL =
  '-H,--host:danger-value -c,--context:value --config:danger-value -D,--debug -l,--log-level:value --tls --tlscacert:value --tlscert:value --tlskey:value --tlsverify -v,--version'
const COMPOSE =
  '-f,--file:read -p,--project-name:value --profile:value --env-file:read --project-directory:value --ansi:value --parallel:value --progress:value --compatibility --dry-run'
const COMPOSE_RUN =
  '-d,--detach -T,--no-TTY,--no-tty --rm --service-ports --no-deps --build -i,--interactive -q,--quiet --quiet-pull --use-aliases --remove-orphans -e,--env:value -w,--workdir:value ' +
  '-u,--user:value -v,--volume:value -p,--publish:value -l,--label:value --name:value --entrypoint:words --index:value --privileged -t,--tty'

const MISE_EXEC = '-c,--command:shell -j,--jobs:value --raw'

const compose: Program = {
  options: COMPOSE,
  stops: true,
  exactNames: true,
  verbs: { exec: gate(COMPOSE_RUN, { skip: 1, exactNames: true }), run: gate(COMPOSE_RUN, { skip: 1, exactNames: true }) },
}

const container: Program = {
  options: CONTAINER_GLOBAL,
  stops: true,
  exactNames: true,
  verbs: {
    run: gate(CONTAINER_RUN, { skip: 1, exactNames: true }),
    create: gate(CONTAINER_RUN, { skip: 1, exactNames: true }),
    exec: gate(CONTAINER_EXEC, { skip: 1, exactNames: true }),
    container: {
      verbs: {
        run: gate(CONTAINER_RUN, { skip: 1, exactNames: true }),
        exec: gate(CONTAINER_EXEC, { skip: 1, exactNames: true }),
      },
    },
    compose,
    cp: { options: '-a,--archive -L,--follow-link -q,--quiet', operands: 'copy' },
    save: { options: '-o,--output:write' },
    export: { options: '-o,--output:write' },
    build: {
      options:
        '-f,--file:read -t,--tag:value --build-arg:value -o,--output:value --target:value --platform:value --iidfile:write --secret:value --cache-from:value --cache-to:value --progress:value',
    },
  },
}

export const wrapperTable: ProgramTable = {
  command: transparent('-p -v -V'),
  builtin: transparent(''),
  exec: transparent('-c -l -a:value'),
  time: transparent('-p -f,--format:value -o,--output:write -a,--append -v,--verbose -q,--quiet --portability'),
  timeout: transparent('-k,--kill-after:value -s,--signal:value --foreground --preserve-status -v,--verbose -p -f', { skip: 1 }),
  gtimeout: transparent('-k,--kill-after:value -s,--signal:value --foreground --preserve-status -v,--verbose', { skip: 1 }),
  nice: transparent('-n,--adjustment:value -0 -1 -2 -3 -4 -5 -6 -7 -8 -9'),
  ionice: transparent('-c,--class:value -n,--classdata:value -p,--pid:value -P,--pgid:value -t,--ignore -u,--uid:value'),
  nohup: transparent('--help --version'),
  stdbuf: transparent('-i,--input:value -o,--output:value -e,--error:value'),
  unbuffer: transparent('-p'),
  setsid: transparent('-c,--ctty -f,--fork -w,--wait'),
  caffeinate: transparent('-d -i -m -s -u -t:value -w:value'),
  chrt: transparent('-a -b -d -f -i -o -r -m -v -R -T:value -P:value -D:value', { skip: 1 }),
  taskset: transparent('-a,--all-tasks -c,--cpu-list -p,--pid', { skip: 1 }),
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
  sudo: gate(SUDO, { assigns: true }),
  doas: gate('-C:danger-value -u:value -L -n -s -a:value', { assigns: true }),
  pkexec: gate('--user:value --disable-internal-agent --keep-cwd'),
  runuser: gate(
    '-u,--user:value -g,--group:value -G,--supp-group:value -l,--login -m,-p,--preserve-environment -s,--shell:value -c,--command:shell -f,--fast -P,--pty',
  ),
  su: {
    wrapper: 'gate',
    options:
      '-c,--command:shell --session-command:shell -l,--login -m,-p,--preserve-environment -s,--shell:value -g,--group:value -G,--supp-group:value -f,--fast -P,--pty -w,--whitelist-environment:value',
  },
  chroot: gate('--userspec:value --groups:value --skip-chdir', { skip: 1 }),
  unshare: gate(
    '-i,--ipc:maybe -m,--mount:maybe -n,--net:maybe -p,--pid:maybe -u,--uts:maybe -U,--user:maybe -C,--cgroup:maybe -T,--time:maybe -f,--fork --kill-child:maybe --mount-proc:maybe ' +
      '-r,--map-root-user -c,--map-current-user --map-user:value --map-group:value --map-auto --propagation:value --setgroups:value --keep-caps -R,--root:value -w,--wd:value -S,--setuid:value -G,--setgid:value',
  ),
  nsenter: gate(
    '-a,--all -t,--target:value -m,--mount:maybe -u,--uts:maybe -i,--ipc:maybe -n,--net:maybe -p,--pid:maybe -C,--cgroup:maybe -U,--user:maybe -T,--time:maybe -S,--setuid:value -G,--setgid:value ' +
      '--preserve-credentials -r,--root:maybe -w,--wd:maybe -W,--wdns:value -e,--env -F,--no-fork -Z,--follow-context',
  ),
  setpriv: gate(
    '--reuid:value --regid:value --clear-groups --keep-groups --init-groups --groups:value --no-new-privs --inh-caps:value --ambient-caps:value --bounding-set:value --reset-env',
  ),
  capsh: gate('--drop:value --user:value --uid:value --gid:value', { danger: 'starts a shell by its own options' }),
  bwrap: gate('', { danger: 'runs a command in a sandbox it describes itself' }),
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
  perf: gate('', { danger: 'runs a command by its sub-command' }),
  watch: {
    wrapper: 'gate',
    stops: true,
    operands: 'shell',
    options:
      '-n,--interval:value -d,--differences:maybe -g,--chgexit -t,--no-title -b,--beep -e,--errexit -p,--precise -c,--color -C,--no-color -w,--no-wrap -x,--exec -q,--equexit:value -r,--no-rerun',
  },
  flock: gate(
    '-s,--shared -x,-e,--exclusive -u,--unlock -n,--nb,--nonblock -w,--wait,--timeout:value -E,--conflict-exit-code:value -o,--close -c,--command:shell -F,--no-fork --verbose',
    {
      skip: 1,
    },
  ),
  script: {
    wrapper: 'gate',
    options:
      '-a,--append -c,--command:shell -e,--return -f,--flush --force -q,--quiet -t,--timing:maybe -E,--echo:value -o,--output-limit:value -I,--log-in:write -O,--log-out:write -B,--log-io:write -T,--log-timing:write -m,--logging-format:value',
    operands: 'command',
    skip: 1,
    skipUse: 'write',
  },
  parallel: {
    wrapper: 'gate',
    reader: 'parallel',
    stops: true,
    options:
      '-j,--jobs,-P,--max-procs:value -k,--keep-order -0,--null -n,--max-args,-N:value -I:value -a,--arg-file:read --bar --eta --dry-run --dryrun -q,--quote -v,--verbose -t --halt,--halt-on-error:value --joblog:write --results:write-own --tag --timeout:value --retries:value --delay:value -d,--delimiter:value -C,--colsep:value -X -m --pipe --will-cite --no-notice --progress --line-buffer,--lb --ungroup,-u --group --no-run-if-empty,-r',
  },
  busybox: gate(''),
  toybox: gate(''),
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
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': compose,
  'podman-compose': compose,
  kubectl: {
    options:
      '-n,--namespace:value --context:value --kubeconfig:read --cluster:value --user:value -s,--server:value --token:value --as:value --as-group:value -v,--v:value --request-timeout:value',
    exactNames: true,
    stops: true,
    verbs: {
      exec: gate(
        '-i,--stdin -t,--tty -c,--container:value -n,--namespace:value -q,--quiet -f,--filename:read --context:value --pod-running-timeout:value',
        { skip: 1, exactNames: true },
      ),
      run: gate(
        '-i,--stdin -t,--tty --rm --image:value --restart:value -n,--namespace:value --env:value --command --attach -l,--labels:value --port:value --overrides:value --dry-run:maybe -o,--output:value -q,--quiet --image-pull-policy:value --expose',
        { skip: 1, exactNames: true },
      ),
      debug: gate(
        '-i,--stdin -t,--tty --image:value -c,--container:value --target:value -n,--namespace:value --profile:value --copy-to:value',
        { skip: 1, exactNames: true },
      ),
    },
  },
  npx: gate(
    '-y,--yes --no --no-install -p,--package:value -c,--call:shell -q,--quiet -s,--silent -w,--workspace:value --workspaces --ignore-existing --prefer-offline --prefer-online --offline --node-options:danger-value --script-shell:danger-value --prefix:value --loglevel:value',
    {
      exactNames: true,
    },
  ),
  bunx: gate('--bun -p,--package:value -y --silent --verbose --no-install', { exactNames: true }),
  pnpx: gate('-s,--silent -c,--shell-mode --package:value', { exactNames: true }),
  uvx: gate(
    '--from:value --with:value -p,--python:value -q,--quiet --isolated --no-cache --with-requirements:read --with-editable:value --refresh --index-url:value --offline -v,--verbose',
    { exactNames: true },
  ),
  pipx: {
    stops: true,
    verbs: {
      run: gate('--spec:value --python:value --pip-args:value --no-cache -q,--quiet --verbose --system-site-packages --index-url:value', {
        exactNames: true,
      }),
    },
  },
  uv: {
    stops: true,
    exactNames: true,
    options:
      '-q,--quiet -v,--verbose --directory:directory --project:value --offline --no-progress --no-cache,-n --cache-dir:value --config-file:read --no-config --color:value --native-tls --no-python-downloads',
    verbs: {
      run: gate(
        '--with:value --with-requirements:read --with-editable:value -p,--python:value --extra:value --all-extras --group:value --no-group:value --only-group:value --all-groups --no-sync --frozen --locked --isolated --active ' +
          '-m,--module:value --env-file:read --no-env-file --no-project --no-dev --dev --package:value --all-packages --directory:directory --project:value -q,--quiet -v,--verbose -s,--script --gui-script --refresh --reinstall -U,--upgrade --index-url:value --no-editable --exact --offline --only-dev --no-cache -n',
        { exactNames: true },
      ),
      tool: { verbs: { run: gate('--from:value --with:value -p,--python:value -q,--quiet --isolated', { exactNames: true }) } },
    },
  },
  poetry: {
    stops: true,
    options:
      '-C,--directory:directory -P,--project:value -q,--quiet -v,--verbose -n,--no-interaction --no-ansi --ansi --no-plugins --no-cache',
    verbs: { run: gate('') },
  },
  pipenv: { stops: true, options: '-q,--quiet -v,--verbose --bare --python:value', verbs: { run: gate('') } },
  pdm: { stops: true, options: '-q,--quiet -v,--verbose -p,--project:value', verbs: { run: gate('-s,--site-packages --env-file:read') } },
  hatch: { stops: true, options: '-e,--env:value -p,--project:value -q,--quiet -v,--verbose', verbs: { run: gate('') } },
  rye: { stops: true, verbs: { run: gate('') } },
  conda: {
    stops: true,
    verbs: { run: gate('-n,--name:value -p,--prefix:value --no-capture-output --live-stream --cwd:directory -v,--verbose') },
  },
  mamba: { stops: true, verbs: { run: gate('-n,--name:value -p,--prefix:value --no-capture-output --live-stream --cwd:directory') } },
  bundle: { stops: true, verbs: { exec: gate('--keep-file-descriptors --gemfile:value') } },
  direnv: { stops: true, verbs: { exec: gate('', { skip: 1 }) } },
  mise: {
    stops: true,
    options: '-C,--cd:directory -q,--quiet -v,--verbose -y,--yes',
    verbs: { exec: gate(MISE_EXEC), x: gate(MISE_EXEC) },
  },
  asdf: { stops: true, verbs: { exec: gate('') } },
  rbenv: { stops: true, verbs: { exec: gate('') } },
  pyenv: { stops: true, verbs: { exec: gate('') } },
  nodenv: { stops: true, verbs: { exec: gate('') } },
  volta: { stops: true, verbs: { run: gate('--node:value --npm:value --pnpm:value --yarn:value --bundled-npm --no-npm') } },
  fnm: { stops: true, verbs: { exec: gate('--using:value') } },
  nix: {
    stops: true,
    verbs: { run: { danger: 'runs a package' }, develop: gate('-c,--command:words'), shell: gate('-c,--command:words') },
  },
  'nix-shell': {
    wrapper: 'gate',
    options: '--run:shell --command:shell -p,--packages -A,--attr:value --pure -I:value -i:value',
    operands: 'data',
  },
  entr: gate('-a -c -d -n -p -r -s -x -z'),
  chronic: transparent('-v -e'),
  torsocks: gate(''),
  proxychains: gate('-q -f:read'),
  proxychains4: gate('-q -f:read'),
  faketime: gate('-m -p:value -f', { skip: 1 }),
  hyperfine: {
    wrapper: 'gate',
    operands: 'shells',
    options:
      '-w,--warmup:value -r,--runs:value -m,--min-runs:value -M,--max-runs:value -p,--prepare:shell -s,--setup:shell -c,--cleanup:shell -S,--shell:value -N -i,--ignore-failure -n,--command-name:value --export-json:write --export-csv:write --export-markdown:write --style:value -L,--parameter-list:value',
  },
  concurrently: {
    wrapper: 'gate',
    operands: 'shells',
    options:
      '-n,--names:value -k,--kill-others --kill-others-on-fail -c,--prefix-colors:value -p,--prefix:value -s,--success:value -r,--raw -g,--group --hide:value -m,--max-processes:value',
  },
  nodemon: {
    wrapper: 'gate',
    options: '-x,--exec:shell -w,--watch:value -e,--ext:value -i,--ignore:value -d,--delay:value -q,--quiet -V,--verbose -L,--legacy-watch',
    operands: 'data',
  },
  ssh: {
    wrapper: 'gate',
    stops: true,
    operands: 'shell',
    skip: 1,
    options:
      '-o:ssh-option -F:danger-value -B:value -b:value -c:value -D:value -E:write -e:value -I:danger-value -i:read -J:value -L:value -l:value -m:value -O:value -P:value -p:value -Q:value -R:value -S:value -W:value -w:value ' +
      '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y',
  },
  mosh: {
    wrapper: 'gate',
    stops: true,
    operands: 'command',
    skip: 1,
    options: '--ssh:shell --client:words --server:shell -p,--port:value -4 -6 -n',
  },
  tmux: {
    stops: true,
    options: '-2 -C -D -l -N -q -u -U -v -V -c:shell -f:danger-value -L:value -S:value -T:value',
    verbs: Object.fromEntries(
      [
        ['new new-session', '-A -d -D -E -P -X -c:value -e:value -f:value -F:value -n:value -s:value -t:value -x:value -y:value'],
        ['neww new-window', '-a -b -d -k -P -S -c:value -e:value -F:value -n:value -t:value'],
        ['splitw split-window', '-b -d -f -h -I -v -P -Z -c:value -e:value -l:value -p:value -t:value -F:value'],
        ['respawnp respawn-pane respawnw respawn-window', '-k -c:value -e:value -t:value'],
        ['run run-shell', '-b -C -c:value -d:value -t:value'],
        ['if if-shell', '-b -F -t:value'],
        ['popup display-popup', '-B -C -E -c:value -d:value -e:value -h:value -w:value -x:value -y:value -t:value -T:value'],
        ['send send-keys', '-F -H -K -l -M -R -X -c:value -N:value -t:value'],
        ['pipep pipe-pane', '-I -O -o -t:value'],
      ].flatMap(([names = '', options = '']): [string, Program][] =>
        names.split(' ').map(name => [name, { wrapper: 'gate', stops: true, operands: 'shell', options }]),
      ),
    ),
  },
  screen: gate('-d -m -D -r:maybe -R -S:value -L -t:value -A -a -x -X -q -U -c:danger-value -h:value -s:value -T:value'),
}
