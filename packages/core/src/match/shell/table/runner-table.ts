// Runners of packages, virtual environments and tool versions, and tools that run command lines again and again.
import type { Program, ProgramTable } from './program.ts'
import { gate } from './wrap.ts'

const MISE_EXEC = '-c,--command:shell -j,--jobs:value --raw'

const nixShell: Program = {
  wrapper: 'gate',
  options: '-c,--command:words -i,--ignore-environment -k,--keep:value',
  operands: 'data',
  startsShell: true,
  takesRest: /^(?:-c|--command)$/,
}
/** A shell in an environment: it reads commands from standard input. */
const shell: Program = { wrapper: 'gate', options: '', operands: 'data', startsShell: true }

/** Every operand is a script of the project, or a pattern of some. */
const runAll: Program = {
  wrapper: 'gate',
  operands: 'shells',
  options:
    '-c,--continue-on-error -l,--print-label -n,--print-name -p,--parallel -r,--race -s,--sequential,--serial --silent --aggregate-output --max-parallel:value --npm-path:danger-value',
}

export const runnerTable: ProgramTable = {
  npx: gate(
    '-y,--yes --no --no-install -p,--package:value -c,--call:shell -q,--quiet -s,--silent -w,--workspace:value --workspaces --ignore-existing --prefer-offline --prefer-online --offline --node-options:danger-value --script-shell:danger-value --prefix:project --loglevel:value',
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
      runpip: { starts: 'pip', skip: 1 },
    },
  },
  etckeeper: { verbs: { vcs: { starts: 'git' } } },
  uv: {
    stops: true,
    exactNames: true,
    options:
      '-q,--quiet -v,--verbose --directory:project-directory --project:project --offline --no-progress --no-cache,-n --cache-dir:value --config-file:rules --no-config --color:value --native-tls --no-python-downloads',
    verbs: {
      run: gate(
        '--with:value --with-requirements:read --with-editable:value -p,--python:value --extra:value --all-extras --group:value --no-group:value --only-group:value --all-groups --no-sync --frozen --locked --isolated --active ' +
          '-m,--module:module --env-file:read --no-env-file --no-project --no-dev --dev --package:value --all-packages --directory:project-directory --project:project -q,--quiet -v,--verbose -s,--script --gui-script --refresh --reinstall -U,--upgrade --index-url:value --no-editable --exact --offline --only-dev --no-cache -n',
        { exactNames: true },
      ),
      tool: { verbs: { run: gate('--from:value --with:value -p,--python:value -q,--quiet --isolated', { exactNames: true }) } },
    },
  },
  poetry: {
    stops: true,
    options:
      '-C,--directory:project-directory -P,--project:project -q,--quiet -v,--verbose -n,--no-interaction --no-ansi --ansi --no-plugins --no-cache',
    verbs: { run: gate(''), shell },
  },
  pipenv: { stops: true, options: '-q,--quiet -v,--verbose --bare --python:value', verbs: { run: gate(''), shell } },
  pdm: { stops: true, options: '-q,--quiet -v,--verbose -p,--project:value', verbs: { run: gate('-s,--site-packages --env-file:read') } },
  hatch: { stops: true, options: '-e,--env:value -p,--project:value -q,--quiet -v,--verbose', verbs: { run: gate(''), shell } },
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
    verbs: { run: { danger: 'runs a package' }, develop: nixShell, shell: nixShell },
  },
  'nix-shell': {
    wrapper: 'gate',
    options: '--run:shell --command:shell -p,--packages -A,--attr:value --pure -I:value -i:value',
    operands: 'data',
    startsShell: true,
  },
  hyperfine: {
    wrapper: 'gate',
    operands: 'shells',
    options:
      '-w,--warmup:value -r,--runs:value -m,--min-runs:value -M,--max-runs:value -p,--prepare:shell -s,--setup:shell -c,--cleanup:shell -S,--shell:value -N -i,--ignore-failure -n,--command-name:value --export-json:write --export-csv:write --export-markdown:write --style:value -L,--parameter-list:value',
  },
  ...Object.fromEntries('npm-run-all npm-run-all2 run-s run-p'.split(' ').map((name): [string, Program] => [name, runAll])),
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
    takesRest: /^(?:-x|--exec)$/,
  },
}
