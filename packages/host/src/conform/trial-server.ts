// An MCP server for trials, as the text of a program without dependencies: it writes down what its tools were called with.
// `send` is a plain tool; `execute_command` is one that nobody has described to Belay, with a command in it. It runs nothing.

export const SERVER_NAME = 'demo'

/** Arguments: the file that it writes to. */
export const TRIAL_SERVER = `import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const text = { type: 'string' }
const tools = [
  { name: 'send', description: 'sends', inputSchema: { type: 'object', properties: { to: text }, required: ['to'] } },
  { name: 'execute_command', description: 'executes', inputSchema: { type: 'object', properties: { command: text }, required: ['command'] } },
]
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'demo', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: input }) => {
    appendFileSync(process.argv[2], name + ' ' + JSON.stringify(input) + '\\n')
    return { content: [{ type: 'text', text: 'done' }] }
  },
  ping: () => ({}),
}
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const body = answer === undefined ? { error: { code: -32601, message: 'no such method' } } : { result: answer(params ?? {}) }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n')
})
`
