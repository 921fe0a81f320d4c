// Credentials told by the syntax around them: passwords in URLs, `Bearer` and `Basic`, and options of programs that take
// a password. Every expression starts at a rare literal and looks ahead a bounded number of characters.
import type { SecretSpan } from './secret-span.ts'
import { isPlaceholder, looksRandom } from './secret-value.ts'

export function findCredentials(text: string): SecretSpan[] {
  return [...urlPasswords(text), ...headerValues(text), ...fileEntries(text), ...programOptions(text), ...pipedValues(text)]
}

function urlPasswords(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const userinfo = stick(/([^\s/?#"'<>@:`]{0,256})(?::([^\s/"'<>`]{0,256}))?@(?=[\w.[-])/y, text, at + 3)
    if (userinfo === null) continue
    const user = userinfo[1] ?? ''
    const password = userinfo[2] ?? ''
    const isUserAlone = password === '' || password === 'x-oauth-basic'
    if (!isUserAlone && !isPlaceholder(password)) {
      const start = at + 3 + user.length + 1
      found.push({ start, end: start + password.length, kind: 'url-password' })
    }
    if (isUserAlone && isTokenAsUser(user, text.slice(Math.max(0, at - 5), at)))
      found.push({ start: at + 3, end: at + 3 + user.length, kind: 'url-token' })
  }
  return found
}

/** Over HTTP a token may stand in place of the user, however short: letters and digits change more often than in a name. */
function isTokenAsUser(user: string, before: string): boolean {
  if (isPlaceholder(user)) return false
  if (user.length >= 20) return looksRandom(user)
  const changes = user.replace(/%[0-9A-Fa-f]{2}/g, '-').match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  return user.length >= 8 && changes >= 2 && /https?$/i.test(before) && looksRandom(user)
}

function headerValues(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  if (!['earer', 'EARER', 'asic', 'ASIC'].some(part => text.includes(part))) return found
  for (const match of text.matchAll(/(?<![A-Za-z])(bearer|basic)[ \t]+([A-Za-z0-9._~+/=-]{8,4096})/gi)) {
    const value = match[2] ?? ''
    const isBasic = match[1]?.toLowerCase() === 'basic'
    const isSecret = isBasic ? holdsUserAndPassword(value) : value.length >= 16 && looksRandom(value) && !value.endsWith('.')
    const start = match.index + match[0].length - value.length
    if (isSecret && !isPlaceholder(value)) found.push({ start, end: start + value.length, kind: isBasic ? 'basic-auth' : 'bearer-token' })
  }
  return found
}

/** Lines of `.netrc` and `.pgpass`, and `auth` of Docker's and npm's configuration. */
function fileEntries(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  if (!['login', 'auth', '32:', '33:', '*:'].some(part => text.includes(part))) return found
  for (const match of text.matchAll(/\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(\S{1,256})/g))
    found.push(lastGroup(match, 1, 'password'))
  for (const match of text.matchAll(/:(?:5432|5433|6432|\*):[^:\s]{1,64}:[^:\s]{1,64}:([^\s:"']{3,256})/g))
    found.push(lastGroup(match, 1, 'password'))
  for (const match of text.matchAll(/\b_?auth(?:\\{0,6}")?[ \t]{0,4}[:=][ \t]{0,4}(?:\\{0,6}")?([A-Za-z0-9+/]{8,2048}={0,2})/g)) {
    if (holdsUserAndPassword(match[1] ?? '')) found.push(lastGroup(match, 1, 'basic-auth'))
  }
  return found.filter(span => !isPlaceholder(text.slice(span.start, span.end).replace(/^["']|["']$/g, '')))
}

/** The span of a group that ends where its match does. */
function lastGroup(match: RegExpMatchArray, group: number, kind: string): SecretSpan {
  const end = (match.index ?? 0) + match[0].length
  return { start: end - (match[group]?.length ?? 0), end, kind }
}

export function holdsUserAndPassword(base64: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(base64, 'base64').toString('latin1'))
}

interface ProgramOption {
  readonly programs: readonly string[]
  /** The last group is the secret. */
  readonly option: RegExp
}

const value = `(?:"([^"\\n]{1,256})"|'([^'\\n]{1,256})'|([^\\s"'|;&<>\\\\]{1,256}))`

/** Options whose names say nothing; `--password` and its like are found by name. */
const programTable: readonly ProgramOption[] = [
  { programs: ['mysql', 'mysqldump', 'mysqladmin', 'mysqlimport', 'mariadb', 'mariadb-dump'], option: after('-p(?![\\s=])') },
  { programs: ['sshpass', '7z', '7za'], option: after('-p ?') },
  {
    programs: ['curl', 'http', 'https', 'xh'],
    option: after(
      '(?:(?:-u|--user|-U|--proxy-user|-a|--auth)[ =]?(?:"?\'?)[^\\s:"\']{0,128}:|(?:-b|--cookie)[ =]?(?=["\']?[^\\s="\']{1,128}=))',
    ),
  },
  { programs: ['redis-cli'], option: after('-a ') },
  { programs: ['docker login', 'podman login', 'az login', 'helm registry login', 'oc login', 'cf login'], option: after('-p[ =]?') },
  { programs: ['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapwhoami', 'security'], option: after('-w ') },
  { programs: ['ssh-keygen'], option: after('-N ') },
  { programs: ['twine upload'], option: after('-p ') },
  { programs: ['lftp'], option: after('-u +[^\\s,]{1,128},') },
  { programs: ['sqlcmd', 'bcp', 'zip', 'unzip'], option: after('-P ?') },
  { programs: ['mongosh', 'mongo', 'mongodump', 'mongorestore', 'mongoimport'], option: after('-p ') },
  { programs: ['openssl'], option: after('-pass(?:in|out)? +pass:') },
  { programs: ['smbclient', 'rpcclient'], option: after('-U +[^\\s%]{1,128}%') },
  { programs: ['gh secret set', 'fly secrets set', 'wrangler secret put'], option: after('(?:-b|--body)[ =]') },
]

function after(option: string): RegExp {
  return new RegExp(`(?:^| )${option}${value}`, 'g')
}

const programNames = new RegExp(
  `(?<![\\w-])(${programTable
    .flatMap(row => row.programs)
    .map(program => program.replace(/ /g, '[ \\t]+'))
    .join('|')})(?=[ \\t])`,
  'g',
)

/** Cheap to test, and false for nearly every text. */
const anyOption = / -(?:[pPuUawbN]|-user|-proxy-user|-auth|-body|-cookie)/

/** Whether a program may be given a secret here, where blanks may also be those between the words of a list, in JSON. */
export function holdsProgramOption(text: string): boolean {
  return anyQuotedOption.test(text) && anyProgram.test(text)
}

const anyQuotedOption = new RegExp(anyOption.source.replace(/^ /, '[ "]'))
const anyProgram = new RegExp(
  `(?:${programTable
    .flatMap(row => row.programs)
    .map(program => program.replace(/ /g, '\\W+t?'))
    .join('|')})[ \\t"\\\\]`,
)

function programOptions(text: string): SecretSpan[] {
  if (!text.includes(' -') || !anyOption.test(text)) return []
  const found: SecretSpan[] = []
  programNames.lastIndex = 0
  for (let match = programNames.exec(text); match !== null; match = programNames.exec(text)) {
    const program = (match[1] ?? '').replace(/[ \t]+/g, ' ')
    const row = programTable.find(one => one.programs.includes(program))
    const from = match.index + match[0].length
    const command = stick(/(?:"[^"\n]{0,512}"|'[^'\n]{0,512}'|[^\n|;&]|&(?!&)){1,600}/y, text, from)?.[0] ?? ''
    if (row !== undefined) found.push(...optionsIn(command, from, row.option))
    programNames.lastIndex = from + command.length
  }
  return found
}

const readers = '(?:sudo -S|--password-stdin|--with-token)'
const piped = new RegExp(`\\b(?:echo|printf)[ \\t]+(?:-n[ \\t]+)?${value}[ \\t]*\\|[^|;&\\n]{0,200}${readers}`, 'dg')
const given = new RegExp(`${readers}[^|;&\\n]{0,200}<<<[ \\t]*${value}`, 'dg')

/** What is handed to a program that reads a password: `echo VALUE | sudo -S`, `login --password-stdin <<< VALUE`. */
function pipedValues(text: string): SecretSpan[] {
  if (!['sudo -S', '-stdin', '-token'].some(part => text.includes(part))) return []
  const spans = [...text.matchAll(piped), ...text.matchAll(given)].map(({ indices }) => indices?.[1] ?? indices?.[2] ?? indices?.[3])
  return spans.flatMap(span => {
    const [start, end] = span ?? [0, 0]
    return end - start > 1 && !isPlaceholder(text.slice(start, end)) ? [{ start, end, kind: 'password' }] : []
  })
}

function optionsIn(command: string, from: number, option: RegExp): SecretSpan[] {
  const found: SecretSpan[] = []
  for (const match of command.matchAll(option)) {
    const secret = match[1] ?? match[2] ?? match[3] ?? ''
    const bare = secret.replace(/["']$/, '')
    const start = from + match.index + match[0].length - (match[3] === undefined ? 1 : 0) - secret.length
    if (bare.length > 1 && !isPlaceholder(bare)) found.push({ start, end: start + bare.length, kind: 'password' })
  }
  return found
}

function stick(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}
