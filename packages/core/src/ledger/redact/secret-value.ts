// Whether a value that stands beside a secret's name is a secret itself, or a placeholder, a type, a word of prose, or
// code that fetches it. The more the place looks like data, the less the value has to look like a secret.
import { wordSet } from './word-set.ts'

/**
 * `data`: the place holds nothing but values (an environment line, a flag, a query, a JSON member).
 * `quoted`: a string literal that may be code. `line`: the only word after a name and colon. `code`: anything else.
 */
export type ValuePlace = 'data' | 'quoted' | 'line' | 'code'

export function isSecretValue(value: string, place: ValuePlace): boolean {
  if (value.length < 3 || isPlaceholder(value)) return false
  if (place === 'data') return true
  if (place === 'quoted') return !isProse(value)
  if (place === 'line' && /^[a-z]{5,}\d*$/.test(value)) return !stateWords.has(value)
  return looksRandom(value) || (place === 'line' && isMixedCase(value))
}

/** Capitals strewn over a word, other than in camelCase. */
function isMixedCase(value: string): boolean {
  const body = value.replace(/=+$/, '')
  if (!/^[A-Za-z+/]{10,}$/.test(body) || /^[A-Za-z]?[a-z]+(?:[A-Z][a-z]{2,})*[A-Z]*$/.test(body)) return false
  return (body.match(/[A-Z]/g)?.length ?? 0) >= 3 && (body.match(/[a-z]/g)?.length ?? 0) >= 3
}

/** Stands for a secret without being one: empty stars, `${NAME}`, `<your key>`, `process.env.X`, a previous replacement. */
export function isPlaceholder(value: string): boolean {
  if (/^[*.xX#•_-]+$/.test(value)) return true
  if (/^\[redacted\b/i.test(value)) return true
  if (/^https?:\/\/|^~?(?:\/[\w.-]+){2,}\/?$|^#[0-9a-f]{3,8}$/i.test(value)) return true
  if (/\{\w{0,20}\}|%s|\(\?[:=!<]|\[\^|^(?:bearer|basic|oauth|token|digest)\s*$/i.test(value)) return true
  if (/^(?:\$|%[\w({]|\{\{|<|@|!\w|\\?\$\{)/.test(value) || /\$\{|\{\{|\$\(/.test(value)) return true
  if (/^(?:process\.env|os\.environ|env\.|import\.meta|secrets?\.|vars?\.|ENV\[|getenv|config\.|self\.|this\.)/.test(value)) return true
  return /^your[ _-]/i.test(value) || typeWords.has(value.toLowerCase())
}

/** Mixes letters and digits like something generated, and is no path, version, identifier or expression. */
export function looksRandom(value: string): boolean {
  if (value.length < 6 || /[()[\]{}<>]|=>|->|::/.test(value)) return false
  if (/^[\w$]+(?:\.[A-Za-z_$][\w$]*)+$/.test(value) || /^[./~]/.test(value)) return false
  if (!/\d/.test(value)) return /[!@#%^&*]/.test(value.slice(1, -1)) && /[A-Za-z]/.test(value)
  if (!/[A-Za-z]/.test(value)) return false
  return !/^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)*[-_]?\d{1,2}$/.test(value) || value.length < 9
}

/** A label, a message, the name of a constant or of a field. */
function isProse(value: string): boolean {
  if (/^[A-Z][A-Z_]+$/.test(value)) return true
  if (/^[A-Z][a-z'’]+(?: [\w'’"(),:;/&-]+)+[.!?:…]*$/.test(value)) return true
  if (/\s/.test(value) && (/[^\x20-\x7e]/.test(value) || (!/\d/.test(value) && value.split(/\s+/).length >= 6))) return true
  return /^[A-Za-z _-]+$/.test(value) && /passw|secret|token|key|cookie|auth|credential|jwt/i.test(value)
}

/** Compared in lower case. */
const typeWords: ReadonlySet<string> = wordSet(`
  string str number int integer float bool boolean any unknown undefined null none nil void never object array bytes
  buffer uint8array true false yes no optional required redacted hidden masked changeme example placeholder todo tbd
  empty unset default n/a env await async new self this fake dummy test foo bar baz abc xyz asdf qwer sample
  password passwd passphrase token secret cookie authorization credential credentials apikey key pass user username
`)

/** What may follow "password:" in a log or a form. */
const stateWords: ReadonlySet<string> = wordSet(`
  invalid incorrect missing expired wrong updated changed failed denied accepted rejected created deleted valid
  received refreshed revoked rotated stored loaded found unexpected authenticated unauthorized prompt password token
  secret cookie value inherit write admin public private enabled disabled matched false options option argument
  arguments flags files field instead should cannot would which right
`)
