// Names against the shell's pattern of a name, in linear time: only the last run of anything is ever tried again.

/** `run`: any characters, or none. Else whether this one character fits. */
export type NameToken = 'run' | ((character: string) => boolean)

export function nameMatches(tokens: readonly NameToken[], name: string): boolean {
  let token = 0
  let at = 0
  let retryToken = -1
  let retryAt = 0
  while (at < name.length || token < tokens.length) {
    const current = tokens[token]
    if (current === 'run') {
      retryToken = token
      retryAt = at
      token += 1
    } else if (at < name.length && current?.(name.charAt(at)) === true) {
      token += 1
      at += 1
    } else {
      if (retryToken < 0 || retryAt >= name.length) return false
      retryAt += 1
      token = retryToken + 1
      at = retryAt
    }
  }
  return true
}

export function textTokens(text: string, caseInsensitive: boolean): readonly NameToken[] {
  return Array.from({ length: text.length }, (_, at) => characterToken(text.charAt(at), caseInsensitive))
}

/** One `*`, `?` or `[a-z]`. What we do not read stands for anything: a name too many only makes the answer stricter. */
export function globToken(glob: string, caseInsensitive: boolean): NameToken {
  if (glob === '?') return anyCharacter
  return glob.startsWith('[') ? bracketToken(glob, caseInsensitive) : 'run'
}

/** A whole pattern, as `find -name` and systemctl read it. */
export function patternTokens(pattern: string, caseInsensitive: boolean): readonly NameToken[] {
  const tokens: NameToken[] = []
  const lastClose = pattern.lastIndexOf(']')
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    const close = character === '[' && at + 2 <= lastClose ? pattern.indexOf(']', at + 2) : -1
    if (close > 0) {
      tokens.push(bracketToken(pattern.slice(at, close + 1), caseInsensitive))
      at = close
    } else if (character === '*' || character === '?') tokens.push(globToken(character, caseInsensitive))
    else tokens.push(characterToken(character, caseInsensitive))
  }
  return tokens
}

const anyCharacter = (): boolean => true

function characterToken(character: string, caseInsensitive: boolean): NameToken {
  if (!caseInsensitive) return other => other === character
  const lower = character.toLowerCase()
  return other => other.toLowerCase() === lower
}

function bracketToken(glob: string, caseInsensitive: boolean): NameToken {
  const inner = /^\[([!^]?)(.+)\]$/s.exec(glob)
  if (inner === null || /[[\\]/.test(inner[2] ?? '')) return anyCharacter
  const made = `[${inner[1] === '' ? '' : '^'}${(inner[2] ?? '').replace(/[\]^]/g, '\\$&')}]`
  try {
    const pattern = new RegExp(made, caseInsensitive ? 'i' : '')
    return character => pattern.test(character)
  } catch {
    return anyCharacter
  }
}
