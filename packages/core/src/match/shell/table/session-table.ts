// Commands on other machines and in terminal sessions.
import type { Program, ProgramTable } from './program.ts'
import { gate } from './wrap.ts'

/** Keys, text and buffers add up to commands in a shell that nobody sees here. */
const TYPES: Program = { danger: 'types into another terminal' }
const TYPING = 'paste-buffer pasteb load-buffer loadb source-file source command-prompt choose-tree choose-buffer choose-client'.split(' ')
const ATTACHES: Program = { danger: 'looks into another process', operands: 'data' }

export const sessionTable: ProgramTable = {
  ssh: {
    wrapper: 'gate',
    startsShell: true,
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
    reader: 'tmux-format',
    options: '-2 -C:danger -D -l -N -q -u -U -v -V -c:shell -f:danger-value -L:value -S:value -T:value',
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
        ['bind bind-key set-hook', '-n -r -N:value -T:value -g -a -u -R -w -p -t:value'],
        ['confirm confirm-before', '-b -y -c:value -p:value -t:value'],
        ['pipep pipe-pane', '-I -O -o -t:value'],
      ]
        .flatMap(([names = '', options = '']): [string, Program][] =>
          names
            .split(' ')
            .map(name => [name, { wrapper: 'gate', stops: true, operands: 'shell', options, ...(/^send/.test(name) && TYPES) }]),
        )
        .concat(TYPING.map(name => [name, { ...TYPES, operands: 'data' }])),
    ),
  },
  kitty: {
    stops: true,
    options:
      '-e --hold --detach -1,--single-instance -d,--directory:value -T,--title:value -o,--override:danger-value -c,--config:danger-value',
    otherVerb: gate(''),
    verbs: { '@': { verbs: { 'send-text': TYPES, 'send-key': TYPES, launch: TYPES } } },
  },
  kitten: { verbs: { ssh: { starts: 'ssh' }, '@': { verbs: { 'send-text': TYPES, 'send-key': TYPES, launch: TYPES } } } },
  zellij: {
    stops: true,
    verbs: {
      run: gate(
        '-c,--close-on-exit -d,--direction:value -f,--floating -i,--in-place -n,--name:value -s,--start-suspended --cwd:directory',
        {
          exactNames: true,
        },
      ),
      action: { verbs: { write: TYPES, 'write-chars': TYPES } },
    },
  },
  wezterm: {
    stops: true,
    options: '-e -n,--skip-config --config-file:danger-value --config:danger-value',
    verbs: {
      start: gate('--no-auto-connect --always-new-process --cwd:directory --class:value --workspace:value --position:value', {
        exactNames: true,
      }),
      cli: {
        verbs: { 'send-text': TYPES, spawn: gate('--cwd:directory --pane-id:value --window-id:value --new-window', { exactNames: true }) },
      },
    },
  },
  gcore: ATTACHES,
  jattach: ATTACHES,
  'py-spy': ATTACHES,
  screen: gate('-ls -list -d -m -D -r:maybe -R -S:value -L -t:value -A -a -x -X:danger -q -U -c:danger-value -h:value -s:value -T:value'),
}
