/** What is wrong with a piece of configuration; who has read its file adds the place. */
export interface ConfigProblem {
  /** Keys and positions down to what is wrong; empty: the piece as a whole. */
  readonly path: readonly string[]
  readonly message: string
  readonly remedy?: string
}

/** `under`: what the path is written below in the message. */
export function configProblem(path: readonly string[], words: string, { under = [], remedy }: ProblemWords = {}): ConfigProblem {
  const names = [...under, ...path]
  const message = names.length === 0 ? words : `\`${names.join('.')}\` ${words}`
  return remedy === undefined ? { path, message } : { path, message, remedy }
}

interface ProblemWords {
  readonly under?: readonly string[]
  readonly remedy?: string | undefined
}
