// Options and sub-commands by which a program runs code or another program, or takes its settings from elsewhere.
// They hold beside what the other tables say of the program, and leave a program that no table describes as unknown as it was.
// A line is the names of programs, a colon, and what they take. Options begin with a dash; of the rest, `a b` is a path of sub-commands.

const OPTIONS = `
ansible-playbook,ansible,ansible-pull: --vault-password-file
ansible-pull: -U --url
bazel,bazelisk: --action_env --strategy --spawn_strategy --run_under --host_jvm_args --output_user_root
cmake: -P --toolchain -C -DCMAKE_C_COMPILER -DCMAKE_CXX_COMPILER -DCMAKE_TOOLCHAIN_FILE -DCMAKE_MAKE_PROGRAM -DCMAKE_PROJECT_INCLUDE
cpack,ctest: --config -S --script -SP --build-and-test
cpio: --rsh-command
cvlc,vlc,mplayer,mpv: --script --scripts --extraintf --lua-intf --lua-config --input-commands --input-conf --script-opts -input
deno: --preload http:// https:// data: blob:
docker,podman,nerdctl: --context --privileged
duckdb: -init
elinks: -eval -config-file -config-dir
exim,exim4,sendmail,postfix: -C -be -D
freecad,freecadcmd: -c -P
ghc,stack,cabal: -pgmF -pgmL
gimp,gimp-console: -b --batch --batch-interpreter
gprolog: --query-goal --init-goal --entry-goal --consult-file
gradle,gradlew: -I --init-script -Dorg.gradle.jvmargs -Dorg.gradle.java.home
gs,ghostscript: -sOutputFile=%pipe -o%pipe
inkscape: --actions --action-list-file --actions-file --shell
java,javaw: -javaagent -agentpath -agentlib -XX:OnError -XX:OnOutOfMemoryError -Xbootclasspath --patch-module
javac,jar,javadoc: -J-javaagent -J-agentpath -processor -processorpath --processor-path
jbang: -c --code --javaagent
joe,jed,jmacs: -exec
jshell: -e --startup -J-javaagent
jupyter,jupyter-nbconvert: --execute --ExecutePreprocessor
just: --shell --shell-arg --chooser
knife: -E --exec
latexmk: -usepretex -pretex -shell-escape --shell-escape -enable-write18
mtxrun,context,texlua: --luacode --script --execute
pdftex,latexmk,pdfetex,luatex,etex,platex,uplatex,xetex: -shell-escape --shell-escape -enable-write18
less: --lesskey-content
libreoffice,soffice: macro: --script-provider
lynx: -cfg -cmd_script -editor -lss
micro: -plugin
mitmdump,mitmproxy,mitmweb: -s --scripts
mix: -e --eval --rpc-eval
mongosh,mongo: --eval --file -f
most,more: +
msfconsole: -x -r
mvn,mvnw: -Dexec.executable -Dmaven.ext.class.path exec:exec
mysql,mariadb,mycli: --pager --init-command
nc,ncat,netcat,nc.traditional,nc.openbsd: -e -c --exec --sh-exec --lua-exec
nim: --eval -e
nmap: --interactive
node,nodejs: --inspect=0 --inspect-brk=0 --inspect=: --inspect-brk=:
nano,pico: -s --speller
openssl: -engine -provider -provider-path
pacman: --config --hookdir --dbpath --root
pandoc: --filter --lua-filter
pdflatex,xelatex,lualatex,latex,tex,luatex,etex: \\write18 \\immediate \\directlua \\input|
pip,pip3: --global-option --config-settings
pm2: --interpreter --interpreter-args --node-args
pnpm,pnpx: --pnpmfile --global-pnpmfile --userconfig --globalconfig
pytest,py.test: --pdb --trace --pdbcls
R,r: --expression
eslint: --suppress-all --suppress-rule --prune-suppressions --suppressions-location
godot,godot4: -s --script
phpdbg: -e
rebol,red: --do --cli
rofi,dmenu: -run-command -terminal
salt,salt-call: cmd.run cmd.script cmd.shell cmd.exec_code
scp,sftp: -S -D
siege: -R
wget,wget2: --use-askpass
sqlmap: --eval --os-cmd --os-shell --os-pwn
ssh-add,ssh-agent: -S -P -s
ssh-keygen: -D -w
swift: -load-plugin-library
tcpdump: -z
tmux: default-shell default-command
tox,nox: -x --override
tshark,wireshark,dumpcap: -X
w3m: -o
yum,dnf,dnf5,microdnf: --repofrompath
zx: -e --eval
7z,7za,7zz: -sfx
`

const VERBS = `
cabal,stack: repl ghci
django-admin,manage.py: shell shell_plus
gem: exec
docker,podman: plugin
dotnet: fsi script
elixir: eval
mix: cmd
eslint: --init --inspect-config
drush: ev eval php:eval php:cli
dune: utop
flask: shell
ip: -b -batch
julia,lein: eval exec repl
jupyter,ipython: execute console run
glab: alias set, alias import
mix: eval, run -e, do
nim: e
pip,pip3: config set, config edit, config unset
pre-commit: try-repo
rails: runner r
redis-cli: eval, evalsha, script load, config set, module load
swift: repl
systemctl: edit link set-environment import-environment
wp: eval eval-file shell
yarn: set version, plugin import, plugin import from
`

/** What a program reads on standard input is its code or its commands, where it is called like this. */
const READS_CODE = `
rails: console c dbconsole db
manage.py,django-admin: shell shell_plus dbshell
flask: shell
artisan: tinker
cabal,stack: repl ghci
swift: repl
inkscape: --shell
k6: run
jupyter: console
docker,docker-compose: -f
lein: repl
`

export interface RunOptions {
  readonly options: readonly string[]
  /** Each is a path of sub-commands. */
  readonly verbs: readonly (readonly string[])[]
  readonly readsCode: readonly string[]
}

type Draft = { [Key in keyof RunOptions]: RunOptions[Key][number][] }

let rows: ReadonlyMap<string, RunOptions> | null = null

/** Read on first use. */
export function runOptionRows(): ReadonlyMap<string, RunOptions> {
  rows ??= readRows()
  return rows
}

function readRows(): ReadonlyMap<string, RunOptions> {
  const found = new Map<string, Draft>()
  const draftOf = (name: string): Draft => {
    const draft = found.get(name) ?? { options: [], verbs: [], readsCode: [] }
    found.set(name, draft)
    return draft
  }
  const each = (text: string, add: (names: readonly string[], given: string) => void): void => {
    for (const line of text.trim().split('\n')) {
      const colon = line.indexOf(':')
      add(line.slice(0, colon).split(','), line.slice(colon + 1).trim())
    }
  }
  each(OPTIONS, (names, given) => {
    const options = given.split(' ')
    for (const name of names) draftOf(name).options.push(...options)
  })
  each(VERBS, (names, given) => {
    const paths = (given.includes(',') ? given.split(', ') : given.split(' ')).map(path => path.split(' '))
    for (const name of names) draftOf(name).verbs.push(...paths)
  })
  each(READS_CODE, (names, given) => {
    const words = given.split(' ')
    for (const name of names) draftOf(name).readsCode.push(...words)
  })
  return found
}
