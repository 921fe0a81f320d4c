// Which shared cases both guards can be asked. cc-safety-net has fixed rules, so a case counts where it does what that guard's own
// documentation says it blocks; a target or an option is put in where its rule wants one. The written rule is in docs/guide/matcher.md.

/** What a command does, told by its text alone; `ask` is the text that both guards get. */
const ACTIONS = [
  { name: 'rm -rf /', test: /-(?:rf|fr|r -f|f -r) x\b/, ask: text => text.replace(/(-(?:rf|fr|r -f|f -r)) x\b/g, '$1 /') },
  { name: 'git push --force', test: /\bgit push\b/, ask: text => text.replace(/\bgit push\b(?! (?:--force|-f)\b)/g, 'git push --force') },
  { name: 'git reset --hard', test: /\breset --hard\b/, ask: text => text },
  { name: '.env', test: /\.env\b/, ask: text => text },
  { name: '~/.ssh', test: /\.ssh\//, ask: text => text },
]

/** null: not a case that both can be asked. */
export function fairCase(row) {
  const command = row.input?.command
  if (row.tool !== 'Bash' || row.tier !== 'core' || typeof command !== 'string' || row.ctx?.links || row.ctx?.hardlinks) return null
  if (row.ctx?.caseInsensitiveFs || row.ctx?.platform || row.accept?.includes('allow') || row.expected === 'allow') return null
  const action = ACTIONS.find(({ test }) => test.test(command))
  return action === undefined ? null : { ...row, action: action.name, input: { command: action.ask(command) } }
}
