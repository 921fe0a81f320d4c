// git: global options, sub-commands whose options run or write, and the configuration keys that name programs.
import type { Program } from './program.ts'

const OUTPUT =
  '--stdin:stdin-list --output:write --ext-diff -L:read-range -o:value -O:value -S:value -G:value -n,--max-count:value --format:maybe --pretty:maybe --author:value --grep:value --since:value --until:value -U,--unified:value --diff-filter:value --date:maybe'
const STASH =
  '-m,--message:value -p,--patch -S,--staged -k,--keep-index -u,--include-untracked -a,--all -q,--quiet --pathspec-from-file:path-list --pathspec-file-nul'
const PACK = '--upload-pack,--exec:shell -u:value -o,--server-option:value -j,--jobs:value --depth:value'

/** Runs what it is told, in a folder of commands or of git. */
export const GIT_SHELL: Program = { options: '-c:shell', danger: 'runs the commands it is given' }

export const git: Program = {
  options:
    '-C:target -c:git-config --config-env:danger-value --exec-path:danger --git-dir:danger-value --work-tree:directory --namespace:value --super-prefix:value --attr-source:value --list-cmds:value ' +
    '-p,--paginate -P,--no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --html-path --man-path --info-path -v,--version -h,--help',
  reader: 'git',
  stops: true,
  exactNames: true,
  verbs: {
    log: { options: OUTPUT, operands: 'revisions' },
    diff: { options: OUTPUT, operands: 'revisions' },
    show: { options: OUTPUT, operands: 'revisions' },
    'diff-tree': { options: OUTPUT, operands: 'revisions' },
    'diff-index': { options: OUTPUT, operands: 'revisions' },
    'diff-files': { options: OUTPUT, operands: 'revisions' },
    reflog: { options: OUTPUT },
    shortlog: { options: OUTPUT, operands: 'revisions' },
    whatchanged: { options: OUTPUT, operands: 'revisions' },
    stash: {
      options: STASH,
      verbs: {
        push: { options: STASH, operands: 'rewrite' },
        save: { options: STASH },
        show: { options: OUTPUT, operands: 'revisions' },
        ...Object.fromEntries(
          ['pop', 'apply', 'drop', 'list', 'branch', 'clear', 'create', 'store'].map(verb => [verb, { options: OUTPUT }]),
        ),
      },
      operands: 'rewrite',
    },
    'range-diff': { options: OUTPUT },
    'format-patch': {
      options: `${OUTPUT.replace('-o:value', '-o,--output-directory:write')} --cover-letter --subject-prefix:value -v:value --to:value --cc:value`,
    },
    archive: {
      options: '-o,--output:write --exec:shell --remote:value --format:value --prefix:value --add-file:read',
      operands: 'revisions',
    },
    bundle: {
      verbs: {
        create: { options: '--version:value -q,--quiet --all', operands: 'pack' },
        ...Object.fromEntries(['verify', 'unbundle', 'list-heads'].map((verb): [string, Program] => [verb, { operands: 'read' }])),
      },
    },
    add: { options: '--pathspec-from-file:path-list --chmod:value -A,--all -f,--force -u -p -n -v -i -N', operands: 'read' },
    rm: { options: '--pathspec-from-file:path-list -r -f,--force -n,--dry-run -q,--quiet --cached', operands: 'write-own' },
    mv: { options: '-f,--force -k -n,--dry-run -v', operands: 'move' },
    restore: {
      options: '-s,--source:value --pathspec-from-file:path-list --conflict:value -S,--staged -W,--worktree -p -q --ours --theirs',
      operands: 'write-own',
    },
    'ls-remote': { options: `${PACK.replace('-u:value', '')} -h,--heads -t,--tags -q` },
    fetch: {
      options: `${PACK} -a -f,--force -k -n -p,--prune -t,--tags -v -q --all --recurse-submodules:maybe --refmap:value --shallow-since:value`,
    },
    pull: { options: `${PACK} -r,--rebase:maybe -s,--strategy:value -X:value --ff-only --no-rebase -v -q -S,--gpg-sign:maybe` },
    clone: {
      options:
        '-u,--upload-pack:shell --template:danger-value -c,--config:git-config -b,--branch:value -o,--origin:value --depth:value -j,--jobs:value --reference:value --separate-git-dir:write --filter:value --shallow-since:value --bundle-uri:value --server-option:value --recurse-submodules:maybe -q -v -n -l -s --bare --mirror --single-branch',
      operands: 'write-own-after-first',
    },
    push: {
      options:
        '--receive-pack,--exec:shell --repo:value -o,--push-option:value -f,--force -u,--set-upstream -d,--delete -n,--dry-run --all --tags --mirror --force-with-lease:maybe --no-verify',
    },
    'send-pack': { options: '--receive-pack,--exec:shell', danger: 'pushes to another repository' },
    'http-push': { danger: 'pushes to another repository' },
    'fetch-pack': { options: '--upload-pack,--exec:shell' },
    init: {
      options: '--template:danger-value --separate-git-dir:write -b,--initial-branch:value -q --bare --shared:maybe',
      operands: 'write-own',
    },
    grep: {
      options:
        '-O,--open-files-in-pager:shell-maybe -e:value -f:read -A:value -B:value -C:value -m:value --max-depth:value --threads:value -n -i -l -c -w -v -E -F -P -G -r -h -H -I -a -o -p -q -L -z -W --cached --untracked --no-index --and --or --not',
      operands: 'search',
    },
    rebase: {
      options:
        '-x,--exec:shell -s,--strategy:value -X,--strategy-option:value -i,--interactive --onto:value -S,--gpg-sign:maybe -C:value -q -v -n -f --root --abort --continue --skip --autosquash',
    },
    bisect: { verbs: { run: { wrapper: 'option', operands: 'command', options: '' }, visualize: {}, view: {} } },
    submodule: {
      options: '-q,--quiet --cached --recursive',
      verbs: {
        foreach: { wrapper: 'option', operands: 'shell', stops: true, options: '-q,--quiet --recursive' },
        add: { options: '-b:value --name:value --reference:value --depth:value -f', operands: 'write-own-after-first' },
      },
    },
    worktree: {
      verbs: {
        add: { options: '-b:value -B:value --reason:value -f,--force -d,--detach -q --lock --orphan', operands: 'write-own' },
        move: { operands: 'write-own' },
        remove: { options: '-f,--force', operands: 'write-own' },
      },
    },
    blame: {
      options: '-L:value -C:maybe -M:maybe -S:read --contents:read --ignore-rev:value --ignore-revs-file:read --date:value -w -e -n -p',
      operands: 'revisions',
    },
    'cat-file': {
      options: '-p -t -e -s --batch:stdin-list --batch-command:stdin-list --batch-check:maybe --batch-all-objects',
      operands: 'revisions',
    },
    'filter-branch': {
      options:
        '--setup:shell --env-filter:shell --tree-filter:shell --index-filter:shell --parent-filter:shell --msg-filter:shell --commit-filter:shell --tag-name-filter:shell --subdirectory-filter:value -d:write-own --original:value -f,--force --prune-empty',
    },
    'filter-repo': { danger: 'runs callbacks written in Python' },
    difftool: {
      options: '-x,--extcmd:shell -t,--tool:danger-value -y,--no-prompt -d,--dir-diff -g --trust-exit-code --no-index --cached --staged',
      operands: 'revisions',
    },
    mergetool: { options: '-t,--tool:danger-value -y,--no-prompt -O:value -g' },
    config: { reader: 'git-config-verb' },
    'for-each-repo': { danger: 'runs git elsewhere' },
    'send-email': {
      options:
        '--smtp-server:words --sendmail-cmd:shell --to-cmd:shell --cc-cmd:shell --header-cmd:shell --to:value --cc:value --from:value --subject:value',
      operands: 'revisions',
    },
    'credential-store': { options: '--file:update', danger: 'reads stored passwords' },
    'fmt-merge-msg': { options: '-F,--file:read -m,--message:value --log:maybe --into-name:value' },
    annotate: { options: '-L:value -S:read --contents:read --ignore-revs-file:read', operands: 'revisions' },
    'diff-pairs': { options: OUTPUT },
    'unpack-file': {},
    'show-index': {},
    'merge-tree': { options: '--stdin', operands: 'revisions' },
    'ls-tree': { options: '-r -t -d -l -z --name-only --format:value', operands: 'data' },
    'rev-parse': { operands: 'data' },
    'credential-cache': { danger: 'reads stored passwords' },
    credential: { danger: 'reads stored passwords' },
    'interpret-trailers': { options: '--in-place:in-place --trailer:value --where:value', operands: 'read' },
    'hash-object': { options: '-w -t:value --path:value --stdin --stdin-paths:stdin-list', operands: 'read' },
    'ls-files': { options: '-X,--exclude-from:read -x,--exclude:value --format:value -c -d -m -o -i -s -u -z -t -v' },
    'update-index': { options: '--stdin:stdin-list --index-info --cacheinfo:value --chmod:value --index-version:value', operands: 'read' },
    apply: {
      options: '-p:value -C:value --directory:into --exclude:value --include:write-own -R --check --stat --cached --index --reject -v',
      reader: 'patch',
      operands: 'read',
    },
    am: { options: '-p:value -C:value --directory:value -s -3 -k -q', reader: 'patch', operands: 'read' },
    'checkout-index': { options: '--stdin:stdin-list --prefix:write -a -f -q -u -n --stage:value', operands: 'rewrite' },
    'merge-file': { options: '-L:value -p,--stdout -q,--quiet --marker-size:value', operands: 'rewrite' },
    mailinfo: { options: '--encoding:value -k -b -u -m', operands: 'write-own' },
    mailsplit: { options: '-o:into -f:value -d:value -b', operands: 'read' },
    'commit-tree': { options: '-F:read -m:value -p:value -S:maybe' },
    'fast-export': { options: '--export-marks:write --import-marks:read --import-marks-if-exists:read' },
    'fast-import': { options: '--export-marks:write --import-marks:read --import-marks-if-exists:read --export-pack-edges:write' },
    quiltimport: { options: '--patches:read --series:read --author:value -n' },
    instaweb: { options: '-d,--httpd:shell -b,--browser:shell -m:value -p:value', danger: 'starts a server' },
    'web--browse': { danger: 'starts a browser' },
    daemon: { danger: 'starts a server' },
    'http-backend': { danger: 'starts a server' },
    hook: { danger: 'runs a hook' },
    shell: GIT_SHELL,
    maintenance: { danger: 'changes what runs later' },
    p4: { danger: 'runs another program' },
    svn: { danger: 'runs another program' },
    'remote-ext': { danger: 'runs a command' },
    commit: {
      options:
        '-m,--message:value -F,--file:read -C,--reuse-message:value -c,--reedit-message:value -t,--template:read --author:value --date:value --fixup:value --squash:value --cleanup:value --trailer:value --pathspec-from-file:path-list -S,--gpg-sign:maybe -u:maybe -a,--all -p -s,--signoff -n,--no-verify -e -v -q --amend --no-edit --allow-empty',
      operands: 'read',
    },
    tag: {
      options:
        '-m,--message:value -F,--file:read -u,--local-user:value -n:maybe -a -s -d,--delete -f,--force -l,--list -v --sort:value --format:value --contains:value',
    },
    merge: {
      options: '-m:value -F,--file:read -s,--strategy:value -X:value -S:maybe --into-name:value --no-ff --ff-only --squash --abort',
    },
    notes: { options: '-m:value -F:read -C:value -c:value' },
    checkout: {
      options: '-b:value -B:value --orphan:value --pathspec-from-file:path-list --conflict:value -f,--force -q -t -d --ours --theirs -p',
      operands: 'checkout',
    },
    reset: { options: '--pathspec-from-file:path-list -q -p --hard --soft --mixed --keep --merge -N', operands: 'data' },
    switch: { options: '-c:value -C:value --orphan:value -d,--detach -f,--force -q -t', operands: 'data' },
    clean: { options: '-e,--exclude:value -d -f,--force -i -n,--dry-run -q -x -X', operands: 'write-own' },
    branch: {
      options:
        '-u,--set-upstream-to:value --contains:value --format:value --sort:value --points-at:value -a,--all -r -v -d,--delete -D -m,--move -M -c -C -f,--force -l -q -t:maybe',
    },
  },
}

/** Keys whose value is a shell command, or the path of a program. */
const EXECUTING = new RegExp(
  '^(?:core\\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\\.editor|diff\\.external|credential(?:\\..*)?\\.helper|gpg(?:\\..*)?\\.(?:program|defaultkeycommand)|' +
    'pager\\..+|alias\\..+|(?:diff|merge)\\..+\\.(?:textconv|command|driver)|(?:difftool|mergetool|browser|man)\\..+\\.(?:cmd|path)|filter\\..+\\.(?:clean|smudge|process)|' +
    'remote\\..+\\.(?:uploadpack|receivepack|vcs)|uploadpack\\.packobjectshook|gc\\.recentobjectshook|interactive\\.difffilter|ssh\\.variant|sendemail\\..*(?:cmd|smtpserver)|web\\.browser|http\\..*(?:cookiefile|sslkey)|' +
    'imap\\.tunnel|receive\\.procreceiverefs|guitool\\..+\\.cmd|tar\\..+\\.command|trailer\\..+\\.(?:command|cmd)|submodule\\..+\\.update|instaweb\\.(?:browser|httpd))$',
)
/** Keys that make git run or load code from elsewhere, or widen what it may contact. */
const LEADING =
  /^(?:core\.(?:hookspath|attributesfile|worktree|gitdir)|include(?:if\..*)?\.path|init\.templatedir|url\..+\.(?:insteadof|pushinsteadof)|protocol\..*|http\.proxy|safe\..*|extensions\..*)$/

export function gitKeyKind(key: string): 'command' | 'leads-to-code' | 'data' {
  const lower = key.toLowerCase()
  if (EXECUTING.test(lower)) return 'command'
  return LEADING.test(lower) ? 'leads-to-code' : 'data'
}
