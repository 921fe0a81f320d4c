// `${VAR}` and `$VAR` in header values. Only names that the hook's owner listed are read; every other becomes empty and is reported,
// so that a header never carries a secret that nobody meant to send. One that is listed and not set is an error: half a header is none.

type Environment = Readonly<Record<string, string | undefined>>

export interface ExpandedHeaders {
  readonly headers: Readonly<Record<string, string>>
  readonly notes: readonly string[]
  /** What is listed but not set. */
  readonly problems: readonly string[]
}

const VARIABLE = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g

export function expandHeaders(headers: Readonly<Record<string, string>>, allowedEnv: readonly string[], env: Environment): ExpandedHeaders {
  const notes: string[] = []
  const problems: string[] = []
  const expanded: Record<string, string> = {}
  for (const [header, value] of Object.entries(headers)) {
    expanded[header] = value.replace(VARIABLE, (_whole, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare ?? ''
      if (!allowedEnv.some(pattern => isNamedBy(pattern, name))) {
        notes.push(`header ${header}: ${name} is not in allowed_env and became empty`)
        return ''
      }
      const found = env[name]
      if (found === undefined) problems.push(`header ${header} needs ${name}, which is not set`)
      return found ?? ''
    })
  }
  return { headers: expanded, notes, problems }
}

/** `HOOK_*` names all that begin so; there is no other wildcard in variable names worth having. */
function isNamedBy(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}
