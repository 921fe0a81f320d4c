// What a tool gave back, as text to look for errors in: capped, because a result may be a whole file.
const MOST = 16_384

export function resultText(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MOST)
  if (value === undefined || value === null) return ''
  try {
    return (JSON.stringify(value) ?? '').slice(0, MOST)
  } catch {
    return String(value).slice(0, MOST)
  }
}

/** Hosts that report a failed call as a result mark it. */
export function isMarkedError(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(?:<tool_use_error>|error\b|\w*error:)/i.test(value.slice(0, 200))
  if (typeof value !== 'object' || value === null) return false
  const { isError, is_error, error, success } = value as Record<string, unknown>
  return isError === true || is_error === true || success === false || (typeof error === 'string' && error !== '')
}
