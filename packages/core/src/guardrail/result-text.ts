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
  if (typeof value === 'string') return ERROR_TEXT.test(value.slice(0, 200)) || isMarkedError(parseObject(value))
  if (typeof value !== 'object' || value === null) return false
  const { isError, is_error, error, errors, success } = value as Record<string, unknown>
  return isError === true || is_error === true || success === false || isSomething(error) || isSomething(errors)
}

/** How tools begin what is nothing but an error. */
const ERROR_TEXT =
  /^\s*(?:<tool_use_error>|error\b|\w*error:|\d+ validation errors? for\b|(?:missing|invalid) (?:required )?(?:input|field|parameter|argument|property)|\[\s*\{\s*"(?:code|expected|origin)":)/i

const MAX_JSON = 16_384

/** Null: the text is not a JSON object. */
function parseObject(text: string): object | null {
  if (!text.trimStart().startsWith('{') || text.length > MAX_JSON) return null
  try {
    return JSON.parse(text) as object
  } catch {
    return null
  }
}

function isSomething(error: unknown): boolean {
  if (Array.isArray(error)) return error.length > 0
  return typeof error === 'object' ? error !== null : typeof error === 'string' && error !== ''
}
