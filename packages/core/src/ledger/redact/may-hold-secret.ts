// A quick look that says "no" for nearly every record. Invariant: where it says no, no finder and no name of a member would change
// anything, neither in the text itself nor, where the text is JSON, in any value or name inside it, however often that was quoted.
// So it may say yes too often, and everything it looks for is looked for without regard to what an escape may have put in front.
import { holdsProgramOption } from './find-credential.ts'
import { mayHoldDisguised } from './find-disguised.ts'
import { mayHoldToken } from './may-hold-token.ts'
import { secretKeys } from './secret-name.ts'

export function mayHoldSecret(text: string): boolean {
  return holdsWord(text) || holdsSyntax(text) || holdsProgramOption(text) || mayHoldToken(text) || mayHoldDisguised(text)
}

/**
 * Words that names of secrets are made of, in any case. Spelt out, because that is twice as fast as the flag; where a word must end,
 * a capital ends it, as in `otpValue`. `key` and `conn` are common and looked at again. The last one is a K that lower case makes a k.
 */
const wordExpression = new RegExp(
  spellOut(
    'secret|token|cred|pwd|pass(?:[wWpPcC]|(?![a-z]))|bearer|authorization|cookie|jwt|mnemonic|(?:otp|cv[vVcC]|keys?)(?![a-z])|_PAT(?![A-Za-z])|conn|\u212a',
  ),
  'g',
)

function holdsWord(text: string): boolean {
  wordExpression.lastIndex = 0
  for (let match = wordExpression.exec(text); match !== null; match = wordExpression.exec(text)) {
    const found = match[0].toLowerCase()
    if (found === 'key' || found === 'keys') {
      if (isSecretKey(text, match.index)) return true
    } else if (found !== 'conn' || isConnectionString(text, match.index)) return true
  }
  return false
}

/** What may stand between two words of a name, written as JSON or not. */
const gap = '(?:\\\\[a-z0-9]{1,5}|[^A-Za-z0-9])*'
const keyBase = new RegExp(`keys?${gap}base`, 'iy')
const connectionString = new RegExp(`conn(?:ection)?${gap}str`, 'iy')
const keyWord = new RegExp(`(?:${[...secretKeys].join('|')}|\\\\\\w*)[^A-Za-z0-9]*$`, 'i')
const longestLook = 40

/** `key` after one of the words that make it a secret; `base` after it does too. */
function isSecretKey(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - longestLook), at)
  const isOutOfSight = before.length === longestLook && !/[A-Za-z0-9]/.test(before)
  return isOutOfSight || keyWord.test(before) || stick(keyBase, text, at)
}

function isConnectionString(text: string, at: number): boolean {
  return stick(connectionString, text, at)
}

/**
 * Escapes of what need not be escaped (they may spell anything), passwords in URLs and of `.pgpass`, of `net use` and `net user`, `Basic`,
 * logins in base64, keys of composer, keys of PuTTY, passwords for sudo and of rclone. Each begins with a rare character or word, or with
 * one that another begins with: what is tried at few places costs little.
 */
const syntax =
  /\\(?:\/|u(?!00[01]))|:\/\/[^\s/"'<>`]*@|:(?:5432|5433|6432|\*):|\/(?:[uU](?:ser|SER)?:|add|ADD)|[Bb](?:asic|ASIC)[ \t"\\.]|auth[\\",\st]{0,24}[:=.]|Private-Lines|sudo -S|rclone/

function holdsSyntax(text: string): boolean {
  return syntax.test(text)
}

function stick(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at
  return expression.test(text)
}

/** Each small letter outside of a class becomes a class of both cases. */
function spellOut(pattern: string): string {
  return pattern.replace(/\[[^\]]*\]|\(\?[:!]|[a-z]/g, part => (part.length > 1 ? part : `[${part.toUpperCase()}${part}]`))
}
