// A small agent host that keeps the hook contract of Claude Code and knows nothing of Belay: reads the settings, runs each hook line through
// `sh -c` with the payload on stdin, obeys exit code and JSON, and only then does what the model asked for. One call on stdin, its end on stdout.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const call = JSON.parse(readFileSync(0, 'utf8'))
const { tool, input, session, project, cwd = project, subagent, prompt, isWithoutVariable = false, isSameSession = false } = call
const files = [
  join(process.env.HOME, '.claude', 'settings.json'),
  ...['settings.json', 'settings.local.json'].map(name => join(project, '.claude', name)),
]
/** What the session has taken over so far: one process here is one call of it. */
const kept = join(process.env.HOME, '.settings-of-the-session.json')
let settings = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : files.map(readSettings)
let env = environment()
await takeOver()
writeFileSync(kept, JSON.stringify(settings))

console.log(JSON.stringify(await makeCall()))

function readSettings(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // A file that cannot be read has no settings, as with the real one.
    return {}
  }
}

function environment() {
  return Object.assign({ ...process.env, CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' }, ...settings.map(each => each.env ?? {}))
}

/** Settings that changed since hold at once, unless a hook that held before says no. */
async function takeOver() {
  for (const [at, file] of files.entries()) {
    const now = readSettings(file)
    if (JSON.stringify(now) === JSON.stringify(settings[at])) continue
    const answers = await fire('ConfigChange', { source: 'settings', file_path: file })
    if (answers.every(answer => whyBlocked(answer) === null)) settings = settings.with(at, now)
  }
  env = environment()
}

/** A slash command that begins the prompt, and a sub-agent with skills, come before any call of theirs. Resolves to why they do not begin. */
async function begin() {
  if (prompt !== undefined) {
    const name = prompt.trim().slice(1)
    const why = (await fire('UserPromptExpansion', { command_name: name, command_args: '' })).map(whyBlocked).find(each => each !== null)
    if (why !== undefined) return why
    await loadSkill(name, '')
  }
  const skills = /^skills: (.*)$/m.exec(readText(join(project, '.claude', 'agents', `${subagent}.md`)))?.[1]
  if (skills === undefined) return undefined
  const task = { tool_name: 'Task', tool_input: { subagent_type: subagent, prompt: 'do it' }, tool_use_id: 'toolu_0' }
  const why = (await fire('PreToolUse', task)).map(whyBlocked).find(each => each !== null)
  if (why === undefined) await loadSkill(skills, '')
  return why
}

/** Its lines run by themselves, and no hook hears of them. */
async function loadSkill(name, given) {
  for (const path of [`commands/${name}.md`, `skills/${name}/SKILL.md`]) {
    const text = readText(join(project, '.claude', path)).replaceAll('$ARGUMENTS', given)
    for (const [, block, line] of text.matchAll(/```!\s*\n([\s\S]*?)\n```|!`([^`]+)`/g)) await runShell(block ?? line)
    // Of all hooks of the frontmatter only their commands count here.
    for (const [, command] of text.matchAll(/^ +command: (.*)$/gm)) await runShell(command)
  }
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

async function makeCall() {
  await fire('SessionStart', { source: 'resume' })
  const held = await begin()
  if (held !== undefined) return { blocked: true, why: held, isMade: false }
  const before = await fire('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: 'toolu_1' })
  const why = before.map(whyBlocked).find(each => each !== null)
  if (why !== undefined && !(why.startsWith('ask') && (await isPermitted()))) return { blocked: true, why }
  const rewritten = before.map(({ json }) => json?.hookSpecificOutput?.updatedInput).findLast(Boolean) ?? input
  const done = await runTool(rewritten)
  await fire('PostToolUse', { tool_name: tool, tool_input: rewritten, tool_response: done, tool_use_id: 'toolu_1' })
  return { blocked: false, hooks: before.map(({ code, err }) => ({ code, err })), ...done }
}

/** Before it asks its user it asks its hooks. */
async function isPermitted() {
  const answers = await fire('PermissionRequest', { tool_name: tool, tool_input: input })
  const said = answers.filter(({ code }) => code === 0).map(({ json }) => json?.hookSpecificOutput?.decision?.behavior)
  return said.includes('allow') && !said.includes('deny')
}

function fire(name, fields) {
  const hooks = (settings.some(each => each.disableAllHooks === true) ? [] : settings)
    .flatMap(each => each.hooks?.[name] ?? [])
    .filter(({ matcher }) => matcher === undefined || matcher === '' || matcher === '*' || new RegExp(`^(?:${matcher})$`).test(tool))
    .flatMap(each => each.hooks)
  const payload = {
    session_id: session,
    transcript_path: join(process.env.HOME, 'transcript.jsonl'),
    cwd,
    permission_mode: 'default',
    hook_event_name: name,
    ...(subagent === undefined ? {} : { agent_id: 'sub-1', agent_type: subagent }),
    ...fields,
  }
  return Promise.all(hooks.map(hook => runLine(hook, payload)))
}

function runLine({ command, timeout = 60 }, payload) {
  return new Promise(resolveLine => {
    const prefix = env.CLAUDE_CODE_SHELL_PREFIX
    const line = prefix === undefined ? command : `${prefix} '${command.replaceAll("'", "'\\''")}'`
    const child = start('sh', ['-c', line], { env: isWithoutVariable ? env : { ...env, CLAUDE_PROJECT_DIR: project } })
    if (child === null) {
      resolveLine({ code: 127, out: '', err: '', json: null })
      return
    }
    let out = ''
    let err = ''
    child.stdout.on('data', piece => {
      out += piece
    })
    child.stderr.on('data', piece => {
      err += piece
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), timeout * 1000)
    const end = code => {
      clearTimeout(timer)
      resolveLine({ code, out, err, json: parse(out) })
    }
    child.on('error', () => end(127))
    child.on('close', end)
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(payload))
  })
}

/** Where its folder is gone, elsewhere; null: where it is none, nothing can be started. */
function start(program, args, options) {
  try {
    return spawn(program, args, { cwd: existsSync(cwd) ? cwd : '/', ...options })
  } catch {
    return null
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Exit code 2 blocks, JSON counts with 0 only, everything else is an error that holds nobody up. Nobody is there to be asked. */
function whyBlocked({ code, err, json }) {
  if (code === 2) return err
  if (code !== 0 || json === null) return null
  const { permissionDecision: decision, permissionDecisionReason: reason } = json.hookSpecificOutput ?? {}
  if (decision === 'deny' || decision === 'ask') return `${decision}: ${reason}`
  return json.decision === 'block' || json.continue === false ? (json.reason ?? json.stopReason ?? 'blocked') : null
}

function runTool(given) {
  if (tool === 'Bash') return runShell(given.command)
  if (tool === 'Skill') return loadSkill(given.skill, given.args).then(() => ({ code: 0, out: '' }))
  const file = resolve(cwd, given.file_path ?? '')
  if (tool === 'Write') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, given.content)
  }
  if (tool === 'Edit')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(given.old_string, () => given.new_string),
    )
  return { code: 0, out: tool === 'Read' ? readFileSync(file, 'utf8') : '' }
}

function runShell(command) {
  return new Promise(resolveShell => {
    const child = start('/bin/bash', ['-c', command], { env, detached: !isSameSession, stdio: ['ignore', 'pipe', 'pipe'] })
    if (child === null) {
      resolveShell({ code: 127, out: '' })
      return
    }
    let out = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', piece => {
        out += piece
      })
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    // What was left in the background may hold the pipes open.
    child.on('exit', code => {
      clearTimeout(timer)
      setTimeout(() => resolveShell({ code, out: out.slice(-4000) }), 50)
    })
    child.on('error', error => resolveShell({ code: 127, out: String(error) }))
  })
}
