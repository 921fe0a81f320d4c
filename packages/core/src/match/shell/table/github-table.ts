// gh: what it uploads, writes and stores, and where git reads what it is given.
import type { Program, ProgramTable } from './program.ts'

const RELEASE =
  '-n,--notes:value -F,--notes-file:read -t,--title:value --target:value -R,--repo:value --discussion-category:value -d,--draft -p,--prerelease --clobber --generate-notes --latest:maybe'
const BODY =
  '-F,--body-file:read -b,--body:value -t,--title:value -R,--repo:value -l,--label:value -a,--assignee:value -B,--base:value -H,--head:value -m,--milestone:value -r,--reviewer:value -p,--project:value -T,--template:value'
const STORED = '-f,--env-file:read -b,--body:value -R,--repo:value -e,--env:value'

const withBody: Program = {
  verbs: Object.fromEntries(
    ['create', 'edit', 'comment', 'review', 'merge', 'close'].map(verb => [verb, { options: BODY, exactNames: true }]),
  ),
}
const stored: Program = { verbs: { set: { options: STORED, exactNames: true } } }
const key: Program = { verbs: { add: { options: '-t,--title:value --type:value', exactNames: true, operands: 'read' } } }
const extension: Program = {
  verbs: { install: { danger: 'installs a program' }, upgrade: { danger: 'installs a program' }, exec: { danger: 'runs an extension' } },
}
const codespace: Program = {
  verbs: {
    ssh: { danger: 'runs a command elsewhere' },
    cp: { options: '-r -e -c,--codespace:value -p,--profile:value', exactNames: true, operands: 'rewrite' },
  },
}

export const githubTable: ProgramTable = {
  gh: {
    stops: true,
    exactNames: true,
    options: '-R,--repo:value',
    verbs: {
      alias: { verbs: { set: { danger: 'stores a command' }, import: { danger: 'stores commands' } } },
      api: {
        options:
          '--input:read -f,--raw-field:value -F,--field:upload -H,--header:value -X,--method:value -q,--jq:value -t,--template:value --cache:value --hostname:value -p,--preview:value',
        exactNames: true,
      },
      auth: {
        verbs: {
          token: { danger: 'prints the stored token' },
          status: { options: '-t,--show-token:danger -h,--hostname:value -a,--active --json:value', exactNames: true },
          login: { danger: 'changes who gh is' },
          logout: { danger: 'changes who gh is' },
          refresh: { danger: 'changes what gh may do' },
          switch: { danger: 'changes who gh is' },
          'setup-git': { danger: 'gives git the stored token' },
          'git-credential': { danger: 'prints the stored token' },
        },
      },
      codespace,
      cs: codespace,
      config: { verbs: { set: { danger: 'changes the configuration of gh' } } },
      extension,
      extensions: extension,
      ext: extension,
      gist: {
        verbs: {
          create: { options: '-d,--desc:value -f,--filename:value -p,--public -w,--web', exactNames: true, operands: 'read' },
          edit: {
            options: '-a,--add:read -d,--desc:value -f,--filename:value -r,--remove:value',
            exactNames: true,
            operands: 'read-after-first',
          },
          clone: { reader: 'gh-clone', operands: 'write-own-after-first' },
        },
      },
      'gpg-key': key,
      issue: withBody,
      pr: withBody,
      release: {
        verbs: {
          create: { options: RELEASE, exactNames: true, operands: 'read-after-first' },
          upload: { options: RELEASE, exactNames: true, operands: 'read-after-first' },
          download: {
            options: '-D,--dir:write -O,--output:write -p,--pattern:write-own -R,--repo:value -A,--archive:value',
            exactNames: true,
          },
        },
      },
      repo: {
        verbs: {
          clone: { reader: 'gh-clone', options: '-u,--upstream-remote-name:value', exactNames: true, operands: 'write-own-after-first' },
          fork: {
            reader: 'gh-clone',
            options: '--clone --remote --remote-name:value --fork-name:value --org:value --default-branch-only',
            exactNames: true,
          },
          'deploy-key': key,
        },
      },
      attestation: {
        verbs: {
          verify: {
            options: '-b,--bundle:read -o,--owner:value -R,--repo:value --custom-trusted-root:read',
            exactNames: true,
            operands: 'read',
          },
        },
      },
      run: { verbs: { download: { options: '-D,--dir:write -n,--name:value -p,--pattern:value -R,--repo:value', exactNames: true } } },
      secret: stored,
      'ssh-key': key,
      variable: stored,
      workflow: {
        verbs: { run: { options: '-F,--field:upload -f,--raw-field:value -r,--ref:value -R,--repo:value --json', exactNames: true } },
      },
    },
  },
}
