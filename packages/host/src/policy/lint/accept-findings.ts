// Findings that the writer of a policy has accepted, with a comment on the line of the rule: `# lint broad-allow: it runs files of the project`.
import type { Place } from '@belay/core/policy'
import { type Finding, LINT_CODES, type LintCode } from './finding.ts'

export interface Accepted {
  /** Those that are left. */
  readonly findings: readonly Finding[]
  readonly accepted: readonly Finding[]
}

const COMMENT = /(?:^|\s)#\s*lint\s+([\w-]+)\s*(?::\s*(.*?))?\s*$/

/** `sought`: what was looked for. A comment that accepts nothing is a finding itself: what it spoke of may have become something else. */
export function acceptFindings(text: string, findings: readonly Finding[], file: string, sought: (code: LintCode) => boolean): Accepted {
  const left: Finding[] = [...findings]
  const accepted: Finding[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [comment, code = '', reason = ''] = COMMENT.exec(line) ?? []
    if (comment === undefined) continue
    const place = { file, line: index + 1, column: line.indexOf(comment.trimStart()) + 1 }
    const wrong = whyWrong(code, reason, place)
    const at = left.findIndex(finding => finding.code === code && finding.place.line === place.line)
    const [found] = at === -1 || wrong !== null ? [] : left.splice(at, 1)
    if (found !== undefined) accepted.push(found)
    else if (wrong !== null) left.push(wrong)
    else if (sought(code as LintCode))
      left.push(doubt(place, `nothing is found here that \`lint ${code}\` could accept`, 'remove the comment'))
  }
  return { findings: left, accepted }
}

function whyWrong(code: string, reason: string, place: Place): Finding | null {
  if (!(code in LINT_CODES)) return doubt(place, `lint has no code ${code}`, `the codes are ${Object.keys(LINT_CODES).join(', ')}`)
  if (code === ('invalid-policy' satisfies LintCode))
    return doubt(place, 'that a policy is not valid cannot be accepted', 'make it valid: nothing of it is in force')
  return reason === '' ? doubt(place, `\`lint ${code}\` does not say why`, `write # lint ${code}: and the reason`) : null
}

function doubt(place: Place, message: string, remedy: string): Finding {
  return { code: 'doubtful-setting', place, message, remedy }
}
