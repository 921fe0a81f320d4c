// Whether a name says that its value is a secret: `DB_PASSWORD`, `apiKey`, `x-auth-token`, but not `max_tokens`,
// `password_min_length` or `public_key`. Judged by the words of the name, so all spellings of a name are one.
import { looksRandom } from './secret-value.ts'
import { wordSet } from './word-set.ts'

export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  const last = words.at(-1)
  if (last === undefined || aboutSecrets.has(last)) return false
  if (words.some(word => secretWords.has(word))) return true
  const before = words.at(-2)
  if (last === 'token') return before === undefined || !harmlessTokens.has(before)
  if (last === 'tokens') return before !== undefined && secretTokens.has(before)
  if (last === 'key' || last === 'keys') return before !== undefined && secretKeys.has(before)
  // `client-key-data` of a kubeconfig.
  if (last === 'data') return before === 'key' && secretKeys.has(words.at(-3) ?? '')
  if (last === 'pass') return words.length > 1
  if (last === 'string' || last === 'str') return before === 'connection' || before === 'conn'
  if (last === 'base') return before === 'key'
  if (last === 'pat') return isAccessToken(name)
  return last === 'id' && before === 'secret'
}

/** `GITHUB_PAT`, a personal access token; in small letters it is a pattern. */
function isAccessToken(name: string): boolean {
  return /[A-Z0-9]_PAT$/.test(name)
}

/** A short name for the kind of secret, for the replacement. */
export function kindOfName(name: string): string {
  const words = wordsOf(name)
  for (const [kind, of] of kinds) if (words.some(word => of.includes(word))) return kind
  return isAccessToken(name) ? accessToken : 'secret'
}

const accessToken = 'access-token'

/** What is called like an access token may be a pattern: such a value must look generated. */
export function fitsKind(value: string, kind: string): boolean {
  return kind !== accessToken || (/^[\w.~+/=-]+$/.test(value) && looksRandom(value))
}

const kinds: readonly (readonly [string, readonly string[]])[] = [
  ['cookie', ['cookie', 'cookies', 'setcookie']],
  ['authorization', ['authorization', 'proxyauthorization']],
  ['password', ['password', 'passwd', 'passwort', 'pwd', 'pass', 'passphrase', 'passcode']],
  ['token', ['token', 'tokens', 'authtoken', 'accesstoken', 'jwt', 'bearer']],
  ['key', ['key', 'keys', 'apikey', 'privatekey', 'secretkey']],
]

const secretWords: ReadonlySet<string> = wordSet(`
  password passwords passwd passwort pwd passphrase passcode pgpass userpass secret secrets credential credentials
  creds cred clientsecret apikey apikeys authkey accesskey secretkey privatekey authtoken accesstoken refreshtoken
  bearer authorization proxyauthorization cookie cookies setcookie mnemonic jwt otp totp cvv cvc mypassword pgpassword
  dbpassword sqlpassword sshpass accountkey sharedaccesskey
`)

/** A name that ends like this tells something about a secret, not the secret. */
const aboutSecrets: ReadonlySet<string> = wordSet(`
  name names count counts length len size min max limit policy policies rule rules type types file files filename path
  paths dir url uri endpoint hint label field fields input prompt form expiry expires expiration ttl at age date time
  enabled disabled required version format algorithm arn ref refs manager store provider scanning scanner detection
  index usage used stdin env var reset error errors regex pattern schema class mode status state strength domain
  samesite parser hash digest sha sha256 checksum fingerprint kind help description test tests spec ts js py md
`)

const harmlessTokens: ReadonlySet<string> = wordSet(`
  next page continuation sync per max each one first last current previous prev end start eof stop pad special syntax
  lexer peek parse operator keyword identifier punctuator every no a the cancellation cancel unexpected design color
  pagination begin mask unk eos bos
`)

const secretTokens: ReadonlySet<string> = wordSet(`
  access auth refresh api bearer session secret deploy bot
`)

/** Words that make the `key` after them a secret. */
export const secretKeys: ReadonlySet<string> = wordSet(`
  api access secret private encryption signing master account storage ssh auth service license deploy hmac session app
  client subscription consumer webhook jwt admin root shared symmetric decryption ssl tls gpg pgp openai anthropic
  stripe aws gcp azure datadog cloudflare sendgrid twilio mailgun gemini
`)

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}
