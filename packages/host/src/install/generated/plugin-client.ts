// The part that generated plugins share: one call of the hook client. Whatever goes wrong before a tool throws, and a throw stops the tool.
import { lostClient } from '../hook-command.ts'
import { OWN_MARK } from '../target.ts'

export function pluginHead(agent: 'opencode' | 'pi', shim: string): string {
  return `// ${OWN_MARK} ${agent}; \`belay uninstall ${agent}\` removes it.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'

const SHIM = ${JSON.stringify(shim)}
const DEADLINE_MS = 100000

/** Asks Belay; resolves with its answer, rejects with the reason of a refusal. */
function ask(event, payload) {
  return new Promise((resolve, reject) => {
    if (!statSync(SHIM, { throwIfNoEntry: false })?.size) return reject(new Error(${JSON.stringify(lostClient(agent))}))
    const client = spawn(SHIM, ['--agent', '${agent}', '--event', event, '--deadline-ms', String(DEADLINE_MS)])
    let out = ''
    let err = ''
    client.stdout.on('data', chunk => { out += chunk })
    client.stderr.on('data', chunk => { err += chunk })
    client.stdin.on('error', () => {})
    client.on('error', error => reject(new Error('Tool denied: Belay cannot be started (' + error.message + '); a person can run \`belay doctor ${agent}\`')))
    client.on('close', code => {
      if (code !== 0) return reject(new Error(err.trim() || 'Tool denied: Belay ended with ' + code))
      try {
        resolve(out === '' ? {} : JSON.parse(out))
      } catch {
        reject(new Error('Tool denied: Belay gave an answer that cannot be read'))
      }
    })
    client.stdin.end(JSON.stringify(payload))
  })
}

/** Prompts, and events after the fact: what Belay cannot answer does not hold them up. */
const tell = (event, payload) => ask(event, payload).catch(() => ({}))

function replaceArguments(target, input) {
  for (const key of Object.keys(target)) delete target[key]
  Object.assign(target, input)
}
`
}
