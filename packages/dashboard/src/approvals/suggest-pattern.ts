// A pattern to start from where the daemon has none: narrow enough that what it lets through can be guessed.

/** `Bash(npm test *)` for a plain command of two words or more, else the command itself; another tool as a whole. */
export function suggestPattern(tool: string | null, command: string | null): string {
  if (tool === null) return ''
  if (command === null || command.trim() === '') return `${tool}(*)`
  const words = command.trim().split(/\s+/)
  const isPlain = /^[\w./@:=,+ -]+$/.test(command.trim())
  if (!isPlain || words.length < 2) return `${tool}(${command.trim()})`
  return `${tool}(${words.slice(0, 2).join(' ')} *)`
}
