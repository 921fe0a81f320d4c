// What does the thing that must never happen: calls of tools, and the plainest commands that do it. Written down apart from the matcher.
import type { ToolCall } from '@belay/core/policy'
import { quote } from './carrier.ts'

export interface Act {
  readonly by: string
  /** null: a call of a tool, which no command can carry. */
  readonly command: string | null
  readonly call: ToolCall
  /** One simple command, word by word. */
  readonly isSimple: boolean
  /** It means a file by a name that only means it in the directory of the project. */
  readonly isLocal?: boolean
}

function act(by: string, command: string): Act {
  return { by, command, call: { tool: 'Bash', input: { command } }, isSimple: !/[|<>;&()]/.test(command) }
}

function tool(name: string, input: ToolCall['input']): Act {
  return { by: name, command: null, call: { tool: name, input }, isSimple: false }
}

/** Programs that are a file of JavaScript: node runs them too. */
const SCRIPTS: ReadonlySet<string> = new Set(['npm', 'npx', 'pnpm', 'yarn', 'lerna', 'corepack', 'vercel', 'wrangler', 'firebase'])

function filesOf(program: string): readonly string[] {
  return [`/usr/bin/${program}`, `"$(which ${program})"`, `$(command -v ${program})`, `--no-warnings node_modules/.bin/${program}`]
}

/** A command that a rule names, in every spelling of its words. */
export function commandActs(words: readonly string[]): readonly Act[] {
  const [program = '', ...rest] = words
  const tail = rest.length === 0 ? '' : ` ${rest.join(' ')}`
  const verb = rest[0] !== undefined && !rest[0].startsWith('-') ? rest[0] : null
  const half = Math.ceil(program.length / 2)
  const spellings = [
    `${program}${tail}`,
    `/usr/bin/${program}${tail}`,
    `/usr/local/bin/${program}${tail}`,
    `\\${program}${tail}`,
    `"${program}"${tail}`,
    `${program.slice(0, half)}''${program.slice(half)}${tail}`,
    `$'${program}'${tail}`,
    `${program}  ${rest.join('  ')}`,
    `${program} \\\n${rest.join(' ')}`,
    ...(verb === null
      ? []
      : [
          `${program} "${verb}" ${rest.slice(1).join(' ')}`.trimEnd(),
          `${program} ${verb.slice(0, 1)}\\${verb.slice(1)} ${rest.slice(1).join(' ')}`.trimEnd(),
        ]),
    `A=1 ${program}${tail}`,
    `${program}${tail} < /dev/null`,
    `${program}${tail} 2>&1`,
    `x=${program}; $x${tail}`,
    `x=${quote(`${program}${tail}`)}; $x`,
    ...(rest.length === 0 ? [] : [`{${[program, ...rest].join(',')}}`]),
    ...(program === 'git' ? [`git -C .${tail}`, `git -c a.b=c${tail}`, `git --no-pager${tail}`, `git --git-dir=.git${tail}`] : []),
    ...(program === 'rm' ? ['rm -r -f x', 'rm -fr x', 'rm --recursive --force x', 'rm -rfv x', 'rm x -rf'] : []),
    ...(SCRIPTS.has(program) ? filesOf(program).map(file => `node ${file}${tail}`) : []),
  ]
  return spellings.map(text => act(program, text))
}

const WRITES: readonly (readonly [string, string])[] = [
  ['the shell', 'echo x > F'],
  ['the shell', 'echo x >> F'],
  ['the shell', 'echo x >| F'],
  ['the shell', 'echo x &> F'],
  ['the shell', ': > F'],
  ['the shell', '> F'],
  ['the shell', 'exec 3> F'],
  ['the shell', 'cat << END > F\nx\nEND'],
  ...[
    'tee F',
    'tee -a F',
    'cp a F',
    'cp -f a F',
    'mv a F',
    'ln -f a F',
    'ln -sf a F',
    'install a F',
    'install -m 600 a F',
    'dd if=a of=F',
    'truncate -s 0 F',
    'touch F',
  ].map(text => [text.split(' ')[0] ?? '', text] as const),
  ...[
    'sed -i s/a/b/ F',
    'sed -i.bak s/a/b/ F',
    'sed --in-place s/a/b/ F',
    'perl -i -pe 1 F',
    'sort -o F a',
    'shred F',
    'rm F',
    'unlink F',
    'rsync a F',
    'scp a F',
    'patch F p',
    'ex -c wq F',
  ].map(text => [text.split(' ')[0] ?? '', text] as const),
  ...[
    'curl -o F http://h',
    'curl --output F http://h',
    'wget -O F http://h',
    'git checkout HEAD -- F',
    'git restore F',
    'git show HEAD:a --output=F',
    'find . -fprint F',
    'tar xf a.tar F',
    'unzip a.zip F',
    'gpg -o F -d a',
    'openssl rand -out F 5',
    'vim -es -c wq F',
  ].map(text => [text.split(' ')[0] ?? '', text] as const),
  ...[
    'mlr -I --csv cat F',
    'mlr --csv tee F a',
    'mlr --csv cat then tee -a F a',
    'python3 -m json.tool a F',
    'python3 -m zipfile -c F a',
    'cpp a F',
    'cpp -P -o F a',
    'gcc -E -MF F a',
    'uniq a F',
    'xxd -r a F',
    'iconv -o F a',
    'split --bytes=9 a F',
    'csplit -f F a 9',
  ].map(text => [text.split(' ')[0] ?? '', text] as const),
  ['mlr', `mlr -n put 'end { print > "F", "x" }'`],
  ['ed', "printf 'a\\nx\\n.\\nwq\\n' | ed F"],
  ['awk', `awk 'BEGIN { print "x" > "F" }'`],
  ['python3', `python3 -c 'open("F", "w").write("x")'`],
  ['node', `node -e 'require("fs").writeFileSync("F", "x")'`],
  ['ruby', `ruby -e 'File.write("F", "x")'`],
  ['perl', `perl -e 'open(F, ">", "F")'`],
  ['sqlite3', `sqlite3 x.db '.output F' 'select 1'`],
]

const READS: readonly (readonly [string, string])[] = [
  ...[
    'cat F',
    'less F',
    'more F',
    'head F',
    'tail -n 5 F',
    'tac F',
    'nl F',
    'rev F',
    'strings F',
    'xxd F',
    'od -c F',
    'hexdump -C F',
    'base64 F',
    'sort F',
    'uniq F',
    'cut -c1- F',
    'paste F',
    'fold F',
    'wc F',
    'grep x F',
    'grep -r x F',
    'rg x F',
  ].map(text => [text.split(' ')[0] ?? '', text] as const),
  ...[
    'sed -n p F',
    'awk 1 F',
    'diff F a',
    'cmp F a',
    'cp F a',
    'mv F a && cat a',
    'ln F a && cat a',
    'tar cf - F',
    'zip x.zip F',
    'gzip -c F',
    'dd if=F',
    'tee a < F',
    'curl -d @F http://h',
    'curl -T F http://h',
    'curl file://$PWD/F',
    'wget --post-file=F http://h',
    'scp F h:',
    'rsync F h:',
    'git diff --no-index a F',
    'git hash-object F',
    'openssl enc -in F',
    'source F',
    '. F',
    'vim F',
    'jq . F',
    'column F',
    'iconv F',
    'pr F',
    'shuf F',
    'split F',
    'md5sum F',
  ].map(text => [text.split(' ')[0] ?? '', text] as const),
  ['the shell', 'cat < F'],
  ['the shell', 'echo "$(<F)"'],
  ['the shell', 'while read x; do echo $x; done < F'],
  ['the shell', 'mapfile x < F'],
  ['python3', `python3 -c 'print(open("F").read())'`],
  ['node', `node -e 'console.log(require("fs").readFileSync("F", "utf8"))'`],
  ['ruby', `ruby -e 'puts File.read("F")'`],
  ['perl', `perl -pe 1 F`],
  ['xargs', 'echo F | xargs cat'],
  ['find', 'find . -path ./F -exec cat {} +'],
]

/** Names of the file that lead to it from the root of the project. */
function pathSpellings(path: string): readonly string[] {
  if (path.startsWith('~') || path.startsWith('/')) return []
  const half = Math.ceil(path.length / 2)
  return [`./${path}`, `x/../${path}`, `$PWD/${path}`, `"${path}"`, `${path.slice(0, half)}''${path.slice(half)}`, `$'${path}'`]
}

export function fileActs(access: 'read' | 'write', path: string): readonly Act[] {
  const tools =
    access === 'write'
      ? [
          tool('Write', { file_path: path, content: 'x' }),
          tool('Edit', { file_path: path, old_string: 'a', new_string: 'b' }),
          tool('MultiEdit', { file_path: path, edits: [{ old_string: 'a', new_string: 'b' }] }),
          tool('NotebookEdit', { notebook_path: path, new_source: 'x' }),
          tool('apply_patch', { input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch` }),
        ]
      : [tool('Read', { file_path: path }), tool('Grep', { pattern: 'x', path, output_mode: 'content' })]
  const rows = access === 'write' ? WRITES : READS
  const isOutside = path.startsWith('~') || path.startsWith('/')
  // A tilde means the home only at the beginning of a word that no quotes surround; in code and in addresses a name has one spelling.
  const plain = rows.filter(([, row]) => !path.startsWith('~') || /(?:^|\s)F(?:\s|$)/.test(row.replaceAll(/'[^']*'|"[^"]*"/g, '')))
  const named = (row: string, name: string): string => row.replaceAll(/\bF\b/g, () => name)
  const commands = plain.map(([by, row]) => act(by, named(row, path)))
  const spelled = plain.flatMap(([by, row]) =>
    /["':]F|\/F|@F|=F/.test(row) ? [] : pathSpellings(path).map(name => act(by, named(row, name))),
  )
  const moved = isOutside ? [] : plain.slice(0, 8).map(([by, row]) => act(by, `cd x && ${named(row, `../${path}`)}`))
  const held = isOutside ? [] : plain.slice(0, 16).map(([by, row]) => act(by, `f=${quote(path)}; ${named(row, '"$f"')}`))
  const all = [...tools, ...commands, ...spelled, ...moved, ...held]
  return isOutside ? all : all.map(each => ({ ...each, isLocal: true }))
}

const NETWORK: readonly string[] = [
  ...[
    'curl http://example.com',
    'curl -d @x https://example.com',
    'wget https://example.com',
    'wget -qO- example.com',
    'nc example.com 80',
    'ncat example.com 80',
    'telnet example.com 80',
    'socat - TCP:example.com:80',
  ],
  ...[
    'ssh example.com ls',
    'scp a example.com:',
    'rsync a example.com:b',
    'sftp example.com',
    'ftp example.com',
    'git push',
    'git fetch',
    'git pull',
    'git clone https://example.com/x',
    'git ls-remote https://example.com/x',
  ],
  ...[
    'npm install x',
    'npm publish',
    'npx cowsay',
    'pip install x',
    'cargo install x',
    'go install example.com/x@latest',
    'gem install x',
    'docker pull x',
    'docker push x',
    'gh api user',
    'aws s3 ls',
    'http example.com',
    'lynx example.com',
  ],
  ...[
    'dig example.com',
    'nslookup example.com',
    'ping -c 1 example.com',
    'openssl s_client -connect example.com:443',
    'exec 3<> /dev/tcp/example.com/80',
    'cat < /dev/tcp/example.com/80',
    'mail a@example.com',
    'aria2c https://example.com/x',
  ],
  `python3 -c 'import urllib.request; urllib.request.urlopen("http://example.com")'`,
  `node -e 'fetch("http://example.com")'`,
]

export function networkActs(): readonly Act[] {
  return [
    tool('WebFetch', { url: 'https://example.com', prompt: 'x' }),
    tool('WebSearch', { query: 'x' }),
    ...NETWORK.map(text => act(text.split(' ')[0] ?? '', text)),
  ]
}
