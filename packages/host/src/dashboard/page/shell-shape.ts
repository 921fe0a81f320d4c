// The shape of a shell command: its program and subcommand, with anything behind them.

/** `git push *` of `git push --force origin main`. */
export function wordsOfShape(normal: string): string {
  const words = normal.split(' ')
  const plain = words.findIndex((word, index) => index > 1 || !/^[\w@./+-]+$/.test(word) || (index > 0 && word.startsWith('-')))
  const kept = plain === -1 ? words : words.slice(0, Math.max(1, plain))
  return `${kept.join(' ')} *`
}
