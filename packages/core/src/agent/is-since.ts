/** Whether a version is this one or a later one, part by part. */
export function isSince(version: readonly number[], first: readonly number[]): boolean {
  const at = first.findIndex((part, index) => part !== (version[index] ?? 0))
  return at === -1 || (version[at] ?? 0) > (first[at] ?? 0)
}
