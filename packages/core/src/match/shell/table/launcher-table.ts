// Rarer programs that run another command: changers of user, limits and network, secret keepers, watchers, remote machines.
// An option that is not listed keeps the whole from being allowed, so short lists are safe.
import type { Program, ProgramTable } from './program.ts'
import { gate } from './wrap.ts'

/** `name command`. */
const PLAIN =
  'fakeroot catchsegv eatmydata dbus-launch tsocks torify with-contenv rlwrap corepack tini dumb-init ifne microk8s k3s linux32 linux64 i386 x86_64 systemd-inhibit ssh-agent heaptrack daemonize dockerize flatpak-spawn retry run0 prime-run gamemoderun mangohud ccache distcc nono srt landrun fakechroot uclampset chpst daemon tsp nq lima catatonit s6-svscan setlock pgrphack with-proxy proxychains3 graftcp cproxy dotenvx-run envconsul consul-template nohup2 chruby-exec rvm-exec'
/** `name something command`. */
const AFTER_ONE = 'gosu su-exec setuidgid s6-setuidgid envdir envuidgid envchain wait-for-it wait-for-it.sh wait-for'
/** `name verb command`. */
const VERBS =
  'doppler/run op/run infisical/run teller/run micromamba/run pixi/run lerna/exec nx/exec heroku/run toolbox/run devcontainer/exec foreman/run honcho/run nf/run rr/record samply/record uftrace/record railway/ssh rush-pnpm/exec dotenvx/run railway/run phase/run bws/run akeyless/run varlock/run esc/run nox/run tox/exec rvm/do proto/run pueue/add nerdctl.lima/run rtx/exec goenv/exec jenv/exec devbox/run vlt/exec sfw/run'
/** `name verb something command`. */
const VERBS_AFTER_ONE =
  'aws-vault/exec chamber/exec nvm/exec lxc/exec incus/exec multipass/exec limactl/shell n/exec runc/exec crun/exec apptainer/exec singularity/exec distrobox/enter crictl/exec rustup/run oc/exec oc/rsh machinectl/shell ddev/exec lando/ssh'

const PSSH =
  '-H,--host:value -h,--hosts:read -l,--user:value -p,--par:value -t,--timeout:value -o,--outdir:into -e,--errdir:into -O:ssh-option -x:danger-value -X:danger-value -i,--inline -P,--print -v -A'
const PM2 =
  '-n,--name:value -i,--instances:value --interpreter:words --cwd:value -l,--log:write -o,--output:write -e,--error:write -p,--pid:write --max-memory-restart:value --cron:value --watch --no-daemon --no-autorestart --attach --env:value -f,--force -s,--silent --time'

const ctrTasks: Program = {
  stops: true,
  verbs: { exec: gate('--exec-id:value --cwd:value -t,--tty -d,--detach --user:value', { skip: 1 }) },
}

export const launcherTable: ProgramTable = {
  ...Object.fromEntries(PLAIN.split(' ').map(name => [name, gate('')])),
  ...Object.fromEntries(AFTER_ONE.split(' ').map(name => [name, gate('', { skip: 1 })])),
  ...verbGates(VERBS, {}),
  ...verbGates(VERBS_AFTER_ONE, { skip: 1 }),
  setarch: gate(
    '-R,--addr-no-randomize -3,--3gb -B,--32bit -F,--fdpic-funcptrs -I,--short-inode -L -S -T -X -Z -v,--verbose --4gb --uname-2.6',
  ),
  'systemd-cat': gate('-t,--identifier:value -p,--priority:value --stderr-priority:value --level-prefix:value'),
  wsl: gate('-e,--exec -d,--distribution:value -u,--user:value --cd:value --system --shell-type:value'),
  'ld.so': gate(
    '--library-path:value --argv0:value --inhibit-cache --inhibit-rpath:value --preload:danger-value --audit:danger-value --list --verify',
  ),
  numactl: gate(
    '-N,--cpunodebind:value -m,--membind:value -C,--physcpubind:value -l,--localalloc -i,--interleave:value -p,--preferred:value',
  ),
  prlimit: gate('--nofile:value --nproc:value --as:value --cpu:value --core:value --data:value --fsize:value --stack:value'),
  arch: gate('-arm64 -arm64e -x86_64 -i386 -c -e:value -h', { exactNames: true }),
  cgexec: gate('-g:value --sticky'),
  srun: gate(
    '-n,--ntasks:value -N,--nodes:value -c,--cpus-per-task:value -p,--partition:value -t,--time:value -A,--account:value -J,--job-name:value ' +
      '-w,--nodelist:value -q,--qos:value --mem:value --gres:value --gpus:value -o,--output:write -e,--error:write -i,--input:read -l,--label -u --pty',
  ),
  mpirun: gate('-n,-np,-c:value -N:value -H,--host:value --hostfile:read -x:value --bind-to:value --map-by:value --oversubscribe', {
    singleDash: true,
  }),
  mpiexec: { same: 'mpirun' },
  nsjail: gate(
    '-B,--bindmount,-R,--bindmount_ro:volume -M,--mode:value -q,--quiet -v,--verbose -t,--time_limit:value -u,--user:value -g,--group:value',
    { exactNames: true },
  ),
  proot: gate(
    '-R:value -r,--rootfs:value -b,--bind,-m,--mount:volume -w,--pwd,--cwd:directory -q,--qemu:words -S:value -0,--root-id -k,--kernel-release:value',
  ),
  'sandbox-exec': gate('-p:value -f:read -n:value -D:value'),
  sg: { wrapper: 'gate', operands: 'shell', skip: 1, stops: true, options: '-c:shell' },
  newgrp: { wrapper: 'gate', startsShell: true, options: '-' },
  'cross-env-shell': { wrapper: 'gate', operands: 'shell', stops: true, options: '', assigns: true },
  'start-stop-daemon': { danger: 'starts the program its options name' },
  bpftrace: { options: '-c:shell -e:code -p:value -o:write', operands: 'script' },
  watchexec: {
    wrapper: 'gate',
    operands: 'shell',
    stops: true,
    options: '-w,--watch:value -e,--exts:value -i,--ignore:value -r,--restart -c,--clear:maybe -q',
  },
  chokidar: { options: '-c,--command:shell -i,--ignore:value -d:value -t:value --initial --silent', operands: 'data' },
  'chokidar-cli': { same: 'chokidar' },
  'watchman-make': { options: '--run:shell -p:value -t:value --make:shell', operands: 'data' },
  vagrant: { stops: true, verbs: { ssh: { wrapper: 'gate', options: '-c,--command:shell', operands: 'command', stops: true } } },
  gcloud: {
    stops: true,
    verbs: {
      storage: { verbs: { cp: { operands: 'copy' }, mv: { operands: 'copy' }, rsync: { operands: 'copy' } } },
      compute: { verbs: { ssh: { options: '--command:shell --zone:value --project:value', operands: 'data', launches: true } } },
    },
  },
  fly: { stops: true, verbs: { ssh: { verbs: { console: { options: '-C,--command:shell -a,--app:value', operands: 'data' } } } } },
  flyctl: { same: 'fly' },
  snap: {
    stops: true,
    verbs: { run: gate('--shell:danger --trace-exec --gdb:danger --strace:maybe --debug-log --command:value --hook:value -r:value') },
  },
  flatpak: { stops: true, verbs: { run: { options: '--command:words', operands: 'data', launches: true } } },
  puppet: { stops: true, verbs: { apply: { options: '-e,--execute:code -t,--test --noop', operands: 'script' } } },
  sops: {
    options: '-d,--decrypt -e,--encrypt -i:in-place --output:write --config:read --extract:value',
    operands: 'rewrite',
    verbs: {
      'exec-env': { wrapper: 'gate', operands: 'shell', skip: 1, stops: true, options: '' },
      'exec-file': { wrapper: 'gate', operands: 'shell', skip: 1, stops: true, options: '' },
    },
  },
  ip: { verbs: { netns: { verbs: { exec: gate('', { skip: 1 }) } }, vrf: { verbs: { exec: gate('', { skip: 1 }) } } } },
  ctr: { stops: true, options: '-n,--namespace:value -a,--address:value', verbs: { tasks: ctrTasks, task: ctrTasks, t: ctrTasks } },
  buildah: {
    stops: true,
    verbs: { unshare: gate('-m,--mount:value'), run: gate('--user:value -v,--volume:volume -t,--terminal', { skip: 1 }) },
  },
  tsh: { stops: true, verbs: { ssh: { starts: 'ssh' } } },
  tailscale: { stops: true, verbs: { ssh: { starts: 'ssh' } } },
  tcpsvd: gate('-v -E -l:value -u:value -c:value -C:value -b:value', { skip: 2 }),
  udpsvd: { same: 'tcpsvd' },
  softlimit: gate('-a:value -c:value -d:value -f:value -l:value -m:value -o:value -p:value -r:value -s:value -t:value'),
  cpulimit: gate('-l,--limit:value -P,--path:value -e,--exe:value -p,--pid:value -b,--background -z,--lazy -i,--include-children -v'),
  tfenv: { verbs: { exec: { starts: 'terraform' } } },
  tofuenv: { verbs: { exec: { starts: 'terraform' } } },
  austin: gate(
    '-i,--interval:value -o,--output:write -t,--timeout:value -x,--exposure:value -C,--children -s,--sleepless -m,--memory -f,--full -b,--binary',
  ),
  sshpass: gate('-p:value -f:read -d:value -P:value -e -v'),
  autossh: { same: 'ssh' },
  pdsh: gate('-w:value -x:value -g:value -l:value -f:value -t:value -u:value -a -S'),
  clush: gate('-w:value -x:value -g:value -l:value -f:value -t:value -u:value -a -S -b -B -q'),
  pssh: { wrapper: 'gate', stops: true, operands: 'shell', options: PSSH },
  'parallel-ssh': { same: 'pssh' },
  dtach: gate('-A:value -a:value -c:value -n:value -N:value -e:value -r:value -E -z'),
  abduco: gate('-A:value -a:value -c:value -n:value -e:value -f -l -r -q'),
  pm2: {
    stops: true,
    verbs: Object.fromEntries(['start', 'exec'].map(verb => [verb, { wrapper: 'gate', operands: 'shell', options: PM2 }])),
  },
  lldb: gate('', { danger: 'runs commands of its own' }),
}

function verbGates(pairs: string, more: Program): ProgramTable {
  const options =
    '-n,--name:value -p,--prefix:value --env-file:value -c,--command:shell --workspace-folder:value -e,--env:value -i,--stdin -t,--tty'
  const found: Record<string, Program> = {}
  for (const pair of pairs.split(' ')) {
    const [name = '', verb = ''] = pair.split('/')
    const verbs = { ...found[name]?.verbs, [verb]: gate(options, { exactNames: true, ...more }) }
    found[name] = { stops: true, exactNames: true, verbs }
  }
  return found
}
