// MCP inside the real agent: the engine's verbs as a server that it loads, and another server behind the proxy. Cases as in case.mjs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BEHIND_PROXY, BY_NAME, DENY_ONLY } from './policy.mjs'

const SERVER = fileURLToPath(new URL('../../packages/host/src/mcp-proxy/fixtures/server.mjs', import.meta.url))
const text = { text: 'All done.' }
const call = (name, input = {}) => ({ call: { name, input } })
const isClaude = agent => agent === 'claude-code'

export const MCP_CASES = [
  { name: 'the verbs over MCP', run: verbs, agents: isClaude },
  { name: 'a server behind the MCP proxy', run: proxied, agents: isClaude },
  { name: 'hooks and the MCP proxy at once', run: twice, agents: isClaude },
  { name: 'rules and hooks name an MCP tool', run: named, agents: agent => NAMED_AS[agent] !== undefined },
]

/** Runs the agent with one MCP server of this name. */
function runWith(home, { name, args, env = {}, policy, steps }) {
  const project = home.makeProject(policy)
  const config = join(project, 'servers.json')
  const server = { command: process.execPath, args: [home.belayProgram, ...args], env: { BELAY_HOME: home.belayHome } }
  writeFileSync(config, JSON.stringify({ mcpServers: { [name]: server } }))
  return home.run({
    project,
    policy,
    steps,
    args: ['--mcp-config', config, '--strict-mcp-config', '--settings', JSON.stringify({ permissions: { allow: [`mcp__${name}`] } })],
    // The tools stand in the request itself, not behind a search.
    env: { ENABLE_TOOL_SEARCH: 'false', ...env },
  })
}

const toolNames = ({ requests }) => new Set(requests.flatMap(({ body }) => (body.tools ?? []).map(({ name }) => name)))

async function verbs(home) {
  const { variables } = JSON.parse(home.belay(['agent', 'bind', 'verbs', 'executor', '--json']))
  const run = await runWith(home, {
    name: 'belay',
    args: ['mcp'],
    env: variables,
    policy: DENY_ONLY,
    steps: [
      call('mcp__belay__mentu_capture', { text: 'SEEN-BY-THE-MODEL' }),
      call('mcp__belay__explain', { command: 'touch denied file.txt' }),
      text,
    ],
  })
  const entries = JSON.parse(`[${home.belay(['ledger', 'export']).trim().split('\n').join(',')}]`)
  const captured = entries.find(({ kind, body }) => kind === 'capture' && JSON.stringify(body).includes('SEEN-BY-THE-MODEL'))
  return [
    ['the agent ends well', run.code === 0, run],
    ['it is offered the verbs', toolNames(run).has('mcp__belay__mentu_capture'), [...toolNames(run)]],
    ['what it captures is in the ledger, in its role', captured?.actor === 'agent:executor', captured ?? run.heard.slice(-1500)],
    ['the model reads how a command would be judged', run.heard.includes('REASON-OF-DENY')],
  ]
}

async function proxied(home) {
  const run = await runWith(home, {
    name: 'demo',
    args: ['mcp-proxy', '--server', 'demo', '--agent', 'proxied', '--', process.execPath, SERVER],
    policy: BEHIND_PROXY,
    steps: [
      call('mcp__demo__send', { to: 'evil corp' }),
      call('mcp__demo__send', { to: 'friend' }),
      call('mcp__demo__rename', { name: 'old' }),
      text,
    ],
  })
  const isJudged = ({ kind, body }) => kind === 'pre_tool_use' && body.agent === 'mcp'
  const judged = (await run.entriesWhen(entries => entries.filter(isJudged).length === 3)).filter(isJudged)
  return [
    ['the agent ends well', run.code === 0, run],
    [
      'a tool that is always denied is not offered',
      toolNames(run).has('mcp__demo__send') && !toolNames(run).has('mcp__demo__erase'),
      [...toolNames(run)],
    ],
    ['the model reads why a call was denied', run.heard.includes('REASON-OF-PROXY')],
    ['an allowed call runs', /send .{0,14}friend/.test(run.heard)],
    ['a rewritten call runs rewritten', /rename .{0,14}changed/.test(run.heard), run.heard.slice(-1500)],
    [
      'the ledger has what the proxy said',
      judged.map(({ body }) => body.verdict).join() === 'deny,none,none',
      judged.map(({ body }) => [body.tool, body.verdict]),
    ],
  ]
}

/** The proxy's actor is that of the agent which started it. */
async function twice(home) {
  const run = await runWith(home, {
    name: 'demo',
    args: ['mcp-proxy', '--server', 'demo', '--', process.execPath, SERVER],
    policy: DENY_ONLY,
    steps: [call('mcp__demo__send', { to: 'friend' }), call('mcp__demo__send', { to: 'friend' }), text],
  })
  const judged = run.entries().filter(({ kind }) => /tool_use/.test(kind))
  return [
    ['the agent ends well', run.code === 0, run],
    ['both calls run', (run.heard.match(/send .{0,14}friend/g) ?? []).length >= 2, run.heard.slice(-1500)],
    [
      'each is judged and recorded once',
      judged.map(({ kind, body }) => `${kind} ${body.agent}`).join() ===
        'pre_tool_use claude-code,post_tool_use claude-code,pre_tool_use claude-code,post_tool_use claude-code',
      judged.map(({ kind, actor, body }) => [kind, actor, body.agent, body.tool]),
    ],
  ]
}

/** What the model calls the tool `send` of the server `demo`. */
const NAMED_AS = {
  'claude-code': 'mcp__demo__send',
  gemini: 'mcp_demo_send',
  qwen: 'mcp__demo__send',
  opencode: 'demo_send',
  kilo: 'demo_send',
}

/** Allow rules and matchers hold under one name, whatever the agent calls the tool. */
async function named(home) {
  const project = home.makeProject(BY_NAME)
  const send = NAMED_AS[home.agent]
  const run = await home.run({
    project,
    policy: BY_NAME,
    steps: [call(send, { to: 'friend' }), call(send.replace('send', 'pay'), { to: 'friend' }), call(send, { to: 'foe' }), text],
    args: addServer(home, project, { command: process.execPath, args: [SERVER] }),
    env: { ENABLE_TOOL_SEARCH: 'false' },
  })
  const judged = run.entries().filter(({ kind }) => kind === 'pre_tool_use')
  return [
    ['the agent ends well', run.code === 0, run],
    ['the allowed tool runs', /send .{0,14}friend/.test(run.heard), run.heard.slice(-3000)],
    ['a hook on it runs', run.heard.includes('REASON-OF-HOOK'), run.heard.slice(-3000)],
    ['another one does not', !/pay .{0,14}friend/.test(run.heard), run.heard.slice(-3000)],
    [
      'under their full names',
      judged.map(({ body }) => `${body.tool} ${body.verdict}`).join() === 'mcp__demo__send allow,mcp__demo__pay deny,mcp__demo__send deny',
      judged.map(({ body }) => [body.tool, body.verdict, body.reason]),
    ],
  ]
}

/** Makes the server known to the agent; gives the arguments that this takes. */
function addServer({ agent, home }, project, server) {
  const mcpServers = { demo: server }
  const put = (file, value) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(value))
  }
  if (agent === 'gemini' || agent === 'qwen') put(join(project, `.${agent}`, 'settings.json'), { mcpServers })
  if (agent === 'opencode' || agent === 'kilo') {
    const { command, args } = server
    put(join(home, '.config', agent, `${agent}.json`), {
      mcp: { demo: { type: 'local', command: [command, ...args], enabled: true } },
    })
  }
  if (agent !== 'claude-code') return []
  put(join(project, 'servers.json'), { mcpServers })
  return ['--mcp-config', join(project, 'servers.json'), '--strict-mcp-config']
}
