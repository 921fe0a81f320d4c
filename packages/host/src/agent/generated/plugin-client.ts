// The part that generated plugins share: one call of the hook client. Whatever goes wrong before a tool throws, and a throw stops the tool.
import { KEPT_FOR_CLIENT } from '../../wire/own-environment.ts'
import { brokenClient, PROOF } from '../hook-command.ts'
import { OWN_MARK } from '../target.ts'

export function pluginHead(agent: 'opencode' | 'kilo' | 'pi', shim: string): string {
  return `// ${OWN_MARK} ${agent}; \`belay uninstall ${agent}\` removes it.
import { spawn } from 'node:child_process'

const SHIM = ${JSON.stringify(shim)}
const DEADLINE_MS = 100000
/** The client keeps to its deadline; whatever else stands in its place need not. */
const LIMIT = { timeout: DEADLINE_MS + 25000, killSignal: 'SIGKILL' }
const BROKEN = ${JSON.stringify(brokenClient(agent))}
/** What the client is started with: nothing that could load code into it. */
const KEPT = ${KEPT_FOR_CLIENT}
const kept = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)))

/** Asks Belay; resolves with its answer, rejects with the reason of a refusal. */
function ask(event, payload) {
  return new Promise((resolve, reject) => {
    const client = spawn(SHIM, ['--agent', '${agent}', '--event', event, '--deadline-ms', String(DEADLINE_MS), '--proof', '${PROOF}'], { ...LIMIT, env: kept() })
    let out = ''
    let err = ''
    client.stdout.on('data', chunk => { out += chunk })
    client.stderr.on('data', chunk => { err += chunk })
    client.stdin.on('error', () => {})
    client.on('error', () => reject(new Error(BROKEN)))
    client.on('close', code => {
      if (code === ${PROOF + 2}) return reject(new Error(err.trim() || BROKEN))
      if (code !== ${PROOF}) return reject(new Error(BROKEN))
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
