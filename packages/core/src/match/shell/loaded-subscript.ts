/** Text that runs a command once arithmetic reads it: `a[$(x)]`. */
export function holdsLoadedSubscript(text: string): boolean {
  return text.includes('[') && /\[[^\]]*(?:\$\(|`|\$\{)/.test(text)
}
