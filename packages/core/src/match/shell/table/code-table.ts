// Interpreters and build tools: whatever takes code, or names of programs, as arguments.
import type { Program, ProgramTable } from './program.ts'
import { gate as wrapGate } from './wrap.ts'

const gate = (options: string, more: Program = {}): Program => wrapGate(options, { exactNames: true, ...more })

const python: Program = {
  options:
    '-c:code -m:module -W:value -X:value --check-hash-based-pycs:value -b -B -d -E -h -i -I -O -OO -P -q -s -S -u -v -V,--version -x --help',
  stops: true,
  operands: 'script',
}
const node: Program = {
  options:
    '-e,--eval:code -p,--print:code -pe:code -r,--require:danger-value --import:danger-value --loader,--experimental-loader:danger-value -C,--conditions:value --env-file:read --env-file-if-exists:read --title:value --input-type:value --test-name-pattern:value --test-reporter:value --test-reporter-destination:write ' +
    '--max-old-space-size:value --stack-trace-limit:value --inspect:maybe --inspect-brk:maybe --inspect-port:value --cpu-prof-dir:write --heap-prof-dir:write --diagnostic-dir:write --icu-data-dir:value --openssl-config:danger-value --snapshot-blob:write --build-snapshot --run:value --watch-path:value --redirect-warnings:write --experimental-sea-config:read ' +
    '--test --watch -c,--check -i,--interactive -v,--version -h,--help --no-warnings --trace-warnings --enable-source-maps --experimental-strip-types --experimental-test-coverage --cpu-prof --heap-prof --experimental-vm-modules --preserve-symlinks --throw-deprecation --expose-gc --trace-deprecation --test-only',
  exactNames: true,
  stops: true,
  operands: 'script',
}
const CARGO =
  '--config:danger-value -Z:danger-value -C:project -p,--package:value --manifest-path:project --path:project --target-dir:write-own --features,-F:value --target:value -j,--jobs:value --color:value --profile:value --bin:value --example:value --test:value --bench:value --exclude:value --message-format:value --out-dir,--artifact-dir:write --root:write-own -q,--quiet -v,--verbose --release --all-features --no-default-features --all-targets --workspace --locked --offline --frozen --lib --bins --tests'
const PIP =
  '--editor:shell --log:write --python:danger-value --cache-dir:value -i,--index-url:value --extra-index-url:value --proxy:value --cert:read --client-cert:read --trusted-host:value -r,--requirement:read -c,--constraint:read -e,--editable:project -t,--target:into -d,--dest,--destination-directory:into -w,--wheel-dir:into --prefix:into --root:into --src:into --report:write -f,--find-links:value -q,--quiet -v,--verbose -U,--upgrade --user --no-deps --no-cache-dir --force-reinstall --pre --no-input --isolated -y,--yes --dry-run --format:value --path:value --only-binary:value --no-binary:value --timeout:value --retries:value'
const GO =
  '-exec:words -toolexec:words -o:write -C:project -p:value -asmflags:value -buildmode:value -compiler:value -gccgoflags:danger-value -gcflags:value -installsuffix:value -ldflags:linker-flags -mod:value -modfile:rules -overlay:danger-value -pgo:value -pkgdir:write-own -tags:value -run:value -bench:value -benchtime:value -count:value -coverprofile:write -cpuprofile:write -memprofile:write -blockprofile:write -mutexprofile:write -trace:write -outputdir:write -test.outputdir:write -test.cpuprofile:write -test.memprofile:write -test.blockprofile:write -test.mutexprofile:write -test.trace:write -test.coverprofile:write -test.gocoverdir:write -test.testlogfile:write -timeout:value -parallel:value -cpu:value -coverpkg:value -covermode:value -vet:value -vettool:words -list:value -skip:value -shuffle:value -fuzz:value -fuzztime:value -fuzzcachedir:write-own -test.fuzzcachedir:write-own -json -v -race -x -n -a -short -cover -failfast -i -c -u -w -r:value -l -d -e -m -test -deps -f:value'

/** What the options of go do is said once, above its verbs. */
const GO_SKIPPED = GO.replace(/:[\w-]+/g, ':value')
const testRunner: Program = {
  options: '-c,--config:rules --rootDir,--root,--dir:project -r,--require:danger-value -t:value',
  exactNames: true,
  operands: 'projects',
}

const GCC: Program = {
  options:
    '-o:write -wrapper:words -B:danger-value -fplugin:danger-value -specs:danger-value -x:value -I:value -L:value -D:value -U:value -include:read -imacros:read -isystem:value -idirafter:value -iquote:value -MF:write -MT:value -MQ:value -T:read -Xlinker:value -Xpreprocessor:value -Xassembler:value -l:value -E -S -c -g -O:maybe -W:maybe -f:maybe -m:maybe -s -v -w -M -MM -MD -MMD -MP -pipe -pthread -shared -static -std:value -dumpbase:value -aux-info:write',
  operands: 'read',
}

export const codeTable: ProgramTable = {
  python,
  python2: python,
  python3: python,
  pypy: python,
  pypy3: python,
  ipython: { options: '-c:code -m:module', operands: 'script', stops: true },
  // Modules that Python runs by their names (`python3 -m json.tool a b`).
  'json.tool': { options: '--indent:value --tab --no-indent --compact --sort-keys --json-lines --no-ensure-ascii', operands: 'copy' },
  uu: { options: '-d,--decode -t,--text', operands: 'copy' },
  zipapp: { options: '-o,--output:write -p,--python:value -m,--main:value -c,--compress --info', operands: 'read' },
  zipfile: { options: '-c,--create:write -e,--extract:read -l,--list:read -t,--test:read', operands: 'read' },
  tarfile: { options: '-c,--create:write -e,--extract:read -l,--list:read -t,--test:read -v,--verbose', operands: 'read' },
  node,
  nodejs: node,
  tsx: {
    options: '-e,--eval:code -p,--print:code -r,--require:danger-value --import:danger-value --tsconfig:read --env-file:read',
    exactNames: true,
    stops: true,
    operands: 'script',
    verbs: { watch: { operands: 'script' } },
  },
  'ts-node': {
    options: '-e,--eval:code -p,--print:code -r,--require:danger-value -P,--project:read -O:value -T -s',
    exactNames: true,
    stops: true,
    operands: 'script',
  },
  deno: {
    stops: true,
    exactNames: true,
    verbs: {
      eval: { options: '-p,--print --ext:value', danger: 'runs the code it is given' },
      run: {
        options:
          '-r,--reload:maybe --config,-c:read --import-map:read --env-file,--env:env-file --preload:danger-value --cert:read --ext:value --lock:write -A',
        stops: true,
        operands: 'script',
      },
      repl: { danger: 'runs the code it is given' },
      task: wrapGate('--eval:shell --cwd:project -c,--config:read -q,--quiet -r,--recursive -f,--filter:value'),
    },
  },
  bun: {
    options:
      '-e,--eval:code -p,--print:code -r,--preload:danger-value --import:danger-value --cwd:project -c,--config:read --env-file:read --shell:value --filter,-F:value',
    exactNames: true,
    stops: true,
    operands: 'script',
    verbs: {
      x: gate('--bun -p,--package:value -y --silent'),
      exec: { wrapper: 'gate', operands: 'shell', stops: true },
      run: {
        options:
          '-e,--eval:code -p,--print:code -r,--preload:danger-value --import:danger-value --env-file:read -c,--config:read --cwd:value --shell:value --filter,-F:value --hot --watch --silent --bun,-b',
        exactNames: true,
        operands: 'script',
        stops: true,
        launches: true,
      },
      test: { operands: 'projects' },
      install: {},
      i: {},
      add: {},
      remove: {},
      create: {},
      build: { options: '--outdir:write --outfile:write' },
      init: {},
      upgrade: {},
      pm: {},
      link: {},
      update: {},
      outdated: {},
      publish: {},
    },
  },
  perl: {
    options:
      '-e:code -E:code -M:danger-value -m:danger-value -I:value -F:maybe -i:in-place -x:maybe -l:digits -0:digits -C:maybe -D:maybe -d:danger-value -n -p -a -g -c -s -S -t -T -u -U -v -V:maybe -w -W -X -f -h',
    stops: true,
    operands: 'script',
  },
  ruby: {
    options:
      '-e:code -r:danger-value -I:value -C:value -E:value -F:maybe -K -x:maybe -i:in-place -0:digits -T:digits -W:digits -y -U -a -c -d -h -l -n -p -s -S -v -w --version --yjit --jit',
    stops: true,
    operands: 'script',
  },
  irb: { options: '-r:danger-value -I:value', operands: 'script' },
  php: {
    options:
      '-r,--run:code -R,--process-code:code -B,--process-begin:code -E,--process-end:code -F,--process-file:code-file -f,--file:code-file -c,--php-ini:danger-value -d,--define:danger-value -z,--zend-extension:danger-value -S,--server:value -t,--docroot:value -a -C -e -h -H -i -l -m -n -q -s -v -w --ini --version',
    stops: true,
    operands: 'script',
  },
  lua: { options: '-e:code -l:danger-value -i -v -E -W', stops: true, operands: 'script' },
  luajit: { same: 'lua' },
  Rscript: { options: '-e:code --vanilla --no-save', stops: true, operands: 'script' },
  R: { options: '-e:code -f,--file:code-file --args --vanilla --no-save -q -s', operands: 'data' },
  julia: {
    options: '-e,--eval:code -E,--print:code -L,--load:danger-value -i -q --project:maybe -t,--threads:value',
    stops: true,
    operands: 'script',
  },
  elixir: { options: '-e,--eval:code -r:danger-value --rpc-eval:danger-value -S:value', stops: true, operands: 'script' },
  erl: { options: '-eval:code -run:danger-value -s:danger-value', singleDash: true },
  groovy: { options: '-e:code -cp:value', stops: true, operands: 'script' },
  scala: { options: '-e:code', stops: true, operands: 'script' },
  tclsh: { operands: 'script', stops: true },
  expect: { options: '-c:code -f:code-file -d -n -N', stops: true, operands: 'script' },
  osascript: { options: '-e:code -l:value -s:value -i', stops: true, operands: 'script' },
  pwsh: {
    options:
      '-c,-com,-command,-Command,-cwa,-CommandWithArgs:code -f,-File,-file:code-file -EncodedCommand,-encodedcommand,-enc,-Enc,-ec,-e:code -NoProfile,-noprofile,-nop -NonInteractive,-noninteractive -NoLogo,-nologo -ExecutionPolicy,-executionpolicy,-ep,-ex:value -WorkingDirectory,-wd:directory',
    singleDash: true,
    operands: 'script',
  },
  'pwsh-preview': { same: 'pwsh' },
  // What it is given without an option is a command line.
  powershell: { danger: 'runs the code it is given' },
  cmd: { danger: 'runs a command line of another shell' },
  rails: { verbs: { runner: { danger: 'runs the code it is given' }, r: { danger: 'runs the code it is given' } } },
  m4: {
    danger: 'runs the commands its macros name',
    options: '-D,--define:value -I,--include:value -F:write -R:read -s -P -E -U:value',
    operands: 'read',
  },
  sqlite3: {
    options: '-cmd:code -init:code-file -header -csv -json -readonly',
    singleDash: true,
    operands: 'write-own',
    reader: 'statement',
  },
  duckdb: {
    options: '-c,-cmd,-s:statement -init:code-file -header -csv -json -readonly',
    singleDash: true,
    operands: 'write-own',
    reader: 'statement',
  },
  psql: {
    options:
      '-c,--command:statement -f,--file:code-file -o,--output:write -L,--log-file:write -d,--dbname:value -U,--username:value -h,--host:value -p,--port:value -v,--set:value -P:value -F:value -R:value -t -A -q -x -X -w -W -l -1',
    reader: 'statement',
  },
  mysql: {
    options:
      '-e,--execute:statement -u,--user:value -p,--password:maybe -h,--host:value -P,--port:value -D,--database:value --pager:shell --tee:write --init-command:statement --defaults-file:danger-value --defaults-extra-file:danger-value',
    reader: 'statement',
  },
  mariadb: { same: 'mysql' },
  java: { options: '-jar:value -cp,-classpath,--class-path:value -agentlib:danger-value -version', singleDash: true, stops: true },
  jshell: { operands: 'script' },
  make: {
    options:
      '--eval,-E:code -f,--file,--makefile:rules -C,--directory:project-directory -I,--include-dir:project -o,--old-file:value -W,--what-if:value -j,--jobs:maybe -l,--load-average:maybe --debug:maybe -O,--output-sync:maybe -B,--always-make -d -e,--environment-overrides -i,--ignore-errors -k,--keep-going -n,--just-print,--dry-run -p,--print-data-base -q,--question -r -R -s,--silent,--quiet -S -t,--touch -v,--version -w -h',
    reader: 'make',
    movesFirst: true,
    operands: 'data',
  },
  gmake: { same: 'make' },
  just: {
    options:
      '-f,--justfile:rules -d,--working-directory:project --shell:words --shell-arg:value -c,--command:shell --set:value --chooser:words --dotenv-path:read -l -n -q -v',
    exactNames: true,
  },
  task: { options: '-t,--taskfile:rules -d,--dir:project', exactNames: true },
  ninja: { options: '-f:rules -C:project -j:value -k:value -l:value -t:value -d:value -n -v' },
  cmake: {
    options:
      '-P:code-file -E:danger-value -S:project -B:value -D:value -G:value -C:code-file --build:project --install:value --preset:value --target,-t:value -j,--parallel:maybe --config:value --graphviz:write --trace-redirect:write -U:value -A:value -T:value -N -L',
  },
  go: {
    options: GO,
    singleDash: true,
    verbs: {
      env: { options: '-w:danger -u:danger -json', singleDash: true },
      ...Object.fromEntries(
        ['test', 'run', 'build', 'vet', 'install', 'generate'].map(verb => [
          verb,
          { options: GO_SKIPPED, singleDash: true, operands: 'projects' },
        ]),
      ),
      tool: { options: '-n', singleDash: true },
    },
  },
  cargo: {
    options: CARGO,
    exactNames: true,
    verbs: {
      watch: {
        wrapper: 'gate',
        options:
          '-x,--exec:value -s,--shell:shell -w,--watch:value -i,--ignore:value -d,--delay:value -C,--workdir:project -c,--clear -q,--quiet --why --poll -N --no-gitignore --postpone',
        operands: 'data',
        exactNames: true,
        takesRest: /^--$/,
      },
    },
  },
  rustc: {
    options:
      '-o:write --out-dir:write -C,--codegen:danger-value -L:value -l:value --crate-type:value --edition:value --emit:value --target:value',
    exactNames: true,
  },
  gcc: GCC,
  cpp: { ...GCC, operands: 'copy' },
  'c++': { same: 'gcc' },
  tcc: { options: '-run:code-file -o:write -I:value -L:value -D:value -l:value -c -g', operands: 'read' },
  as: { options: '-o:write -I:value -g', operands: 'read' },
  ld: { options: '-o:write -T,--script:read -L:value -l:value -plugin:danger-value -e:value -Map:write', operands: 'read' },
  nasm: { options: '-o:write -f:value -l:write -I:value -E', operands: 'read' },
  javac: {
    options: '-d:into -cp,-classpath:value -processor:danger-value -processorpath:danger-value',
    singleDash: true,
    operands: 'read',
  },
  cc: { same: 'gcc' },
  'g++': { same: 'gcc' },
  clang: { same: 'gcc' },
  'clang++': { same: 'gcc' },
  tsc: {
    options:
      '--outFile,--outfile,--out:write-own --outDir,--outdir:into --declarationDir:into --tsBuildInfoFile:write-own --generateTrace:into --generateCpuProfile:write-own -p,--project:read -b,--build:flag --init:danger',
    exactNames: true,
    operands: 'projects',
  },
  pytest: {
    options:
      '-c,--config-file:rules -p:danger-value --pdbcls:danger-value -o,--override-ini:ini-setting -k:value -m:value -n:value --rootdir:rules --confcutdir:rules --basetemp:write-own --junitxml,--junit-xml:write --log-file:write --resultlog,--result-log:write --html,--self-contained-html:write --json-report-file,--json:write --report-log:write --cov-config:rules --csv:write --alluredir:write-own --durations-path:write --pstats-dir:write-own --snapshot-update:danger --pastebin:danger-value --store-durations:flag --cov-append:flag --maxfail:value --tb:value --cov:maybe --cov-report:report --durations:value -W:value -r:value --debug:write --ignore:value --deselect:value -x -q -v -s -l',
    exactNames: true,
    operands: 'projects',
  },
  ...Object.fromEntries(
    'jest vitest mocha ava rspec phpunit bats playwright cypress karma'.split(' ').map(name => [name, { ...testRunner }]),
  ),
  mvn: {
    options: '-f,--file:project -s,--settings:read -gs:read -P:value -pl:value -D,--define:value -q -B -U -o -am -e -X -N',
    operands: 'data',
  },
  gradle: {
    options:
      '-p,--project-dir:project -b,--build-file:project -I,--init-script:danger-value -c,--settings-file:project -P:value -D:value -q -i -d',
    operands: 'data',
  },
  ant: {
    options: '-f,-file,-buildfile:project -l,-logfile:write -D:value -logger:danger-value -listener:danger-value -lib:danger-value',
    singleDash: true,
    operands: 'data',
  },
  rake: {
    options:
      '-f,--rakefile:project -r,--require:danger-value -e,--execute:code -p,--execute-print:code -E,--execute-continue:code -R:value -I:value',
    operands: 'data',
  },
  composer: { options: '-d,--working-dir:project', operands: 'data' },

  pip: { options: PIP, exactNames: true, verbs: { install: { options: PIP, exactNames: true, operands: 'projects' } } },
  terraform: { options: '-chdir:project', singleDash: true, stops: true, verbs: {} },
  crontab: { options: '-e:danger -r:danger -l -u:value -i', operands: 'read', danger: 'changes what runs later' },
  at: { reader: 'stdin-shell', options: '-f:code-file -q:value -t:value -m -M -l -r -d -c -v -V', operands: 'data' },
  batch: { same: 'at' },
  lftp: { options: '-e:code -c:code -f:code-file -u:value -p:value -d', operands: 'data' },
  systemctl: { options: '--user --now -q', operands: 'data' },
  launchctl: { danger: 'changes what runs later' },
  ansible: { options: '-m:value -a,--args:danger-value -i:read', operands: 'data' },
}
