// Package managers of Node: they run scripts and programs, and their settings name shells and editors.
import type { Program, ProgramTable } from './program.ts'
import { gate as wrapGate } from './wrap.ts'

const gate = (options: string, more: Program = {}): Program => wrapGate(options, { exactNames: true, ...more })

const NPM =
  '--script-shell:danger-value --node-options:danger-value -w,--workspace:value --prefix,-C:project --registry:value --loglevel:value --userconfig:danger-value --globalconfig:danger-value --cache:value --tag:value --otp:value --omit:value --include:value --shell:danger-value --editor:danger-value --viewer:danger-value --git:danger-value --init-module:danger-value --onload-script:danger-value --pack-destination:write --before:value --depth:value --access:value --message,-m:value --scope:value --location,-L:value --heading:value --user-agent:value --browser:danger-value -g,--global -D,--save-dev -S,--save -E,--save-exact -O,--save-optional --save-peer -P,--production,--save-prod -f,--force --dry-run --json --silent,-s --quiet,-q --verbose -d --yes,-y --if-present --ignore-scripts --workspaces --include-workspace-root --audit --fund --user --init --git-tag-version --version,-v --help,-h --long,-l --all,-a --parseable,-p --scripts-prepend-node-path --legacy-peer-deps --strict-peer-deps --prefer-offline --prefer-online --offline --no-audit --no-fund --package-lock-only --foreground-scripts'
const NPM_EXEC = `${NPM} -c,--call:shell -p,--package:value -y,--yes --no --workspaces -q,--quiet -s,--silent`
const PNPM =
  '--filter,-F:value -C,--dir,--prefix:project -w,--workspace-root -r,--recursive --script-shell:danger-value --shell-emulator --reporter:value --loglevel:value --config.script-shell:danger-value --workspace-concurrency:value --store-dir:value --registry:value --node-options:danger-value -s,--silent --if-present --parallel --stream --aggregate-output --no-bail'

const npmConfig: Program = {
  verbs: { set: { danger: 'changes the configuration of npm' }, edit: { danger: 'opens an editor' } },
}
/** Verbs of pnpm: any other word is the name of a script or of a program, which it runs. */
const PNPM_VERBS =
  'add install i ci update up upgrade remove rm uninstall un link ln unlink import rebuild rb prune fetch patch patch-commit patch-remove audit list ls ll la outdated why licenses run run-script test t start restart stop publish pack server store root bin setup init deploy doctor env login logout help cat-file cat-index find-hash self-update approve-builds ignored-builds dedupe catalog'
/** Verbs of yarn: any other word is a script or a program. */
const YARN_OWN =
  'add install remove up upgrade upgrade-interactive init info list why outdated audit cache link unlink pack publish version versions login logout owner tag team test start build lint format global import licenses policies autoclean check bin help npm plugin set rebuild dedupe search stage constraints patch patch-commit unplug'
/** `yarn exec` and its like, alone and in each workspace. */
const YARN_VERBS = {
  exec: gate(''),
  run: gate('-T,--top-level -B,--binaries-only -s,--silent --inspect:maybe --inspect-brk:maybe'),
  dlx: gate('-p,--package:value -q,--quiet'),
}

export const packageTable: ProgramTable = {
  npm: {
    options: NPM,
    verbs: {
      exec: gate(NPM_EXEC),
      x: gate(NPM_EXEC),
      init: { options: NPM, danger: 'runs a package when it is given one' },
      create: { options: NPM, danger: 'runs a package' },
      innit: { options: NPM, danger: 'runs a package when it is given one' },
      edit: { options: NPM, danger: 'opens an editor' },
      explore: { wrapper: 'gate', operands: 'command', skip: 1, options: NPM },
      config: npmConfig,
      c: npmConfig,
      set: { danger: 'changes the configuration of npm' },
      'set-script': { danger: 'changes the scripts of the package' },
      pkg: { verbs: { set: { danger: 'changes the scripts of the package' } } },
    },
  },
  pnpm: {
    options: PNPM,
    otherVerb: gate(PNPM),
    verbs: {
      ...Object.fromEntries(PNPM_VERBS.split(' ').map(name => [name, { options: PNPM }])),
      create: { options: PNPM, danger: 'runs a package' },
      exec: gate(`${PNPM} -c,--shell-mode`),
      dlx: gate(`${PNPM} -c,--shell-mode --package:value`),
      config: { verbs: { set: { danger: 'changes the configuration of pnpm' } } },
    },
  },
  yarn: {
    options: '--cwd:project --script-shell:danger-value --use-yarnrc:danger-value',
    exactNames: true,
    otherVerb: gate(''),
    verbs: {
      ...YARN_VERBS,
      ...Object.fromEntries(YARN_OWN.split(' ').map(name => [name, {}])),
      create: { danger: 'runs a package' },
      workspace: { stops: true, beforeVerb: 1, verbs: YARN_VERBS },
      workspaces: {
        verbs: {
          foreach: {
            options:
              '-A,--all -R,--recursive -W,--worktree -p,--parallel -i,--interlaced -t,--topological --topological-dev -j,--jobs:value --since:maybe --include:value --exclude:value --from:value --no-private -v,--verbose -n,--dry-run',
            exactNames: true,
            stops: true,
            verbs: YARN_VERBS,
          },
          run: YARN_VERBS.run,
        },
      },
      config: { verbs: { set: { danger: 'changes the configuration of yarn' } } },
    },
  },
}
