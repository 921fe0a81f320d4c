// The Claude Agent SDK with our hooks option, in this process: the real package and its real client, the scripted model. Cases as in case.mjs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage } from './client.mjs'
import { DENY_ONLY } from './policy.mjs'
import { startModel } from './scripted-model.mjs'

const touch = name => ({ shell: `touch ${name} file.txt` })
const text = { text: 'All done.' }

export const SDK_CASES = [{ name: 'the Claude Agent SDK', run: agentSdk, agents: agent => agent === 'claude-code' }]

async function agentSdk(home) {
  const { createHooks, createToolPipeline } = await core('index.js')
  const { parseGenesis } = await core('policy/index.js')
  const { policy } = parseGenesis(DENY_ONLY, 'genesis.key')
  const hooks = createHooks()
  hooks.on('PreToolUse', context => {
    if (String(context.toolInput.command).startsWith('touch original')) context.toolInput.command = 'touch rewritten'
  })
  hooks.on('UserPromptSubmit', () => ({ context: 'CONTEXT-AT-PROMPT' }))
  const guarded = await query(home, createToolPipeline({ hooks, policies: [policy] }).gate)
  const broken = await query(home, { isWatched: () => true, pass: () => Promise.reject(new Error('GATE-IS-BROKEN')) })
  return [
    ['it ends well', guarded.result?.subtype === 'success', guarded.result],
    ['an allowed call runs', guarded.has('allowed'), guarded.heard.slice(-1500)],
    ['a denied call does not', !guarded.has('denied')],
    ['the model reads why', guarded.heard.includes('REASON-OF-DENY')],
    ['a rewritten call runs rewritten', guarded.has('rewritten') && !guarded.has('original')],
    ['context at the prompt arrives', guarded.heard.includes('CONTEXT-AT-PROMPT')],
    ['a gate that breaks lets nothing run', !broken.has('allowed'), broken.heard.slice(-1500)],
    ['and the model reads that', broken.heard.includes('GATE-IS-BROKEN')],
  ]
}

const core = file => import(new URL(`../../packages/core/dist/${file}`, import.meta.url))

async function query(home, gate) {
  const sdk = await import(join(fetchPackage('@anthropic-ai/claude-agent-sdk', '0.3.325'), 'sdk.mjs'))
  const { createSdkHooks } = await core('host/claude-agent-sdk.js')
  const project = home.makeProject('version: "2.0"\n')
  const model = await startModel({ steps: [touch('allowed'), touch('denied'), touch('original'), text] })
  const env = {
    PATH: process.env.PATH,
    HOME: home.home,
    CLAUDE_CONFIG_DIR: join(home.home, '.claude-sdk'),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
  const options = {
    cwd: project,
    env,
    pathToClaudeCodeExecutable: home.program,
    allowedTools: ['Bash'],
    // Nobody's settings: only the hooks given here.
    settingSources: [],
    hooks: createSdkHooks({ gate, cwd: project }),
  }
  let result = null
  try {
    for await (const message of sdk.query({ prompt: 'please work', options })) if (message.type === 'result') result = message
  } catch (error) {
    result = { subtype: 'thrown', error: String(error) }
  }
  await model.close()
  return { result, heard: model.heard(), has: name => existsSync(join(project, name)) }
}
