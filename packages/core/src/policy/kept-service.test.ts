// Whoever keeps services running may end ours: by its name, by a name for all, by none; and what ends, slows or limits many processes at once.
import { afterAll, expect, test } from 'vitest'
import { setupGuardedHome } from './fixtures/guarded-home.ts'

const { allowed, stopped, remove } = setupGuardedHome('kept-service')
afterAll(remove)

/** N is the name of a service. */
const ENDS = [
  ...['initctl stop N', 'rc-service N stop', 'rc-service -i N restart', 'service N stop', 'invoke-rc.d N stop', 'sv stop N', 'sv down N'],
  ...['sv force-stop N', 's6-svc -d N', 's6-svc -wD -d N', 'svc -d N', 'svc -k N', 's6-rc -d change N', 'dinitctl stop N', 'nssm stop N'],
  ...['pm2 stop N', 'pm2 delete N', 'pm2 restart N', 'supervisorctl stop N', 'monit stop N', 'forever stop N', 'god stop N', 'eye stop N'],
  ...['circusctl stop N', 'systemctl stop N', 'update-rc.d -f N remove', 'rc-update del N', 'chkconfig N off'],
]

test.each(ENDS)('%s', line => {
  const named = (name: string): string => line.replace('N', () => name)
  expect(allowed(['belay', '~/service/belay', 'belay-x', '"$S"', "'*'", "'b*'"].map(named))).toEqual([])
  expect(stopped(['nginx', 'my-app', 'web.1'].map(named))).toEqual([])
})

test('all that is kept, and the keepers themselves', () => {
  const lines = [
    ...['pm2 kill', 'pm2 stop all', 'pm2 delete all', 'pm2 -s stop all', 'supervisorctl stop all', 'supervisorctl shutdown'],
    ...['supervisorctl -c x.conf stop all', 'monit stop all', 'monit quit', 'forever stopall', 'god terminate'],
    ...[
      'circusctl quit',
      'eye quit',
      'sv force-stop /etc/service/*',
      'svc -dx /service/*',
      's6-svscanctl -t /run/service',
      's6-rc -da change',
    ],
    ...[
      'dinitctl shutdown',
      'brew services stop --all',
      'machinectl terminate x',
      'machinectl poweroff x',
      'openrc shutdown',
      'rc-shutdown',
    ],
  ]
  expect(allowed(lines.flatMap(line => [line, `sudo ${line}`, `sh -c '${line}'`]))).toEqual([])
  const free = [
    ...[
      'pm2 list',
      'pm2 start app.js',
      'pm2 logs all',
      'pm2 stop 0',
      'pm2 restart all',
      'supervisorctl restart all',
      'supervisorctl status',
      'supervisorctl start all',
      'monit status',
    ],
    ...[
      'sv status x',
      'svc -u /service/x',
      's6-svc -u x',
      'brew services list',
      'brew remove x',
      'service --status-all',
      'rc-service x status',
    ],
    ...['machinectl list', 'dinitctl list', 'forever list', 'openrc default', 'initctl list'],
  ]
  expect(stopped(free)).toEqual([])
})

test('processes of a user or a group, limits of the system, and the system itself', () => {
  const lines = [
    ...['renice 19 -u root', 'renice -n 19 -u dev', 'renice -n 19 -g 100', 'renice --user 0 5', 'ionice -c 3 -u 1000', 'ionice -c3 -P 100'],
    ...[
      'cpulimit -e node -l 1',
      'cpulimit -l 1 -e belay',
      'cpulimit --exe=node -l 1',
      'cpulimit -P /usr/bin/node -l 1',
      'cpulimit -e "$X"',
    ],
    ...['slay root', 'runit-init 0', 'rtcwake -m off -s 60', 'rtcwake --mode=mem -s 9', 'userdel -rf dev', 'deluser dev', 'kexec -e'],
    ...['sysctl kernel.pid_max=301', 'sysctl -w fs.file-max=10', 'sysctl -p x.conf', 'sysctl --system', 'sysctl "kernel.pid_max=$N"'],
  ]
  expect(allowed(lines.flatMap(line => [line, `sudo ${line}`]))).toEqual([])
  const free = [
    ...[
      'renice 10 -p 999999',
      'ionice -c3 make',
      'cpulimit -l 50 -- make',
      'cpulimit -e vite -l 9',
      'rtcwake -m show',
      'sysctl kernel.pid_max',
    ],
    ...['sysctl -a', 'sysctl -n vm.swappiness', 'nice make', 'systemctl restart nginx'],
  ]
  expect(stopped(free)).toEqual([])
})
