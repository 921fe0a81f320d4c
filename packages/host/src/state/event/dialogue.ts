// A question the agent put to its user, and the answer, as text.
import { isObject } from '@belay/core/value'

type Json = Readonly<Record<string, unknown>>

/** null: there is no question in it. */
export function readDialogue(input: Json, response: unknown): string | null {
  const questions = Array.isArray(input.questions) ? input.questions.filter(isObject) : [input]
  const answers = isObject(response) && isObject(response.answers) ? response.answers : {}
  const lines = questions.flatMap(({ question, header }) => {
    if (typeof question !== 'string') return []
    const answer = answers[question] ?? (typeof header === 'string' ? answers[header] : undefined)
    return [`Q: ${question}`, `A: ${answerText(answer ?? response)}`]
  })
  return lines.length === 0 ? null : lines.join('\n')
}

function answerText(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (Array.isArray(answer)) return answer.map(answerText).join(', ')
  return JSON.stringify(answer ?? null)
}
