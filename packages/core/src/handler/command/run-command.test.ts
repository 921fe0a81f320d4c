import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { listAgents } from '../../agent/agents.ts'
import type { CommandHandler } from '../../hook/hook-definition.ts'
import type { HandlerRun } from '../../hook/hook-result.ts'
import { allow, deny, none } from '../../verdict/verdict.ts'
import { makeEvent } from '../fixtures/make-event.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { type CommandHook, runCommand } from './run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function makeHook(handler: Partial<CommandHandler> & { command: string }, change: Partial<CommandHook> = {}): CommandHook {
  return { event: 'PreToolUse', scope: 'session', ...change, handler: { type: 'command', dialect: 'settings', ...handler } }
}

function run(command: string, options: HandlerOptions = {}, change: Partial<CommandHook> = {}): Promise<HandlerRun> {
  return runCommand(makeHook({ command }, change), makeEvent({ cwd: folder }), options)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie nobody has reaped yet is dead.
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 10))
}

function readPid(file: string): number {
  return Number(readFileSync(file, 'utf8'))
}

async function abortWhenReady(command: string, readyFile: string): Promise<HandlerRun> {
  const controller = new AbortController()
  const answer = run(command, { signal: controller.signal })
  await waitUntil(() => existsSync(join(folder, readyFile)))
  controller.abort()
  return answer
}

describe('what a command hook is given', () => {
  it('gets the event as snake_case JSON on stdin and runs in the cwd of the event', async () => {
    const answer = await run('cat > seen.json; pwd > where.txt')
    expect(answer).toEqual({
      kind: 'answered',
      result: { verdict: none() },
      detail: { exitCode: 0, stdout: '', stderr: '', truncated: false },
    })
    expect(JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))).toEqual({
      session_id: 's1',
      transcript_path: null,
      cwd: folder,
      hook_event_name: 'PreToolUse',
      actor: 'agent:test',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      event: 'PreToolUse',
      env: { CLAUDE_PROJECT_DIR: folder, GEMINI_PROJECT_DIR: folder, QWEN_PROJECT_DIR: folder, FACTORY_PROJECT_DIR: folder },
    })
    expect(readFileSync(join(folder, 'where.txt'), 'utf8').trim()).toBe(execFileSync('pwd', { cwd: folder, encoding: 'utf8' }).trim())
  })

  it.each(['settings', 'toml', 'genesis'] as const)('gets prompt, result and variables under both names: %s', async dialect => {
    const see = async (name: string, fields: Record<string, unknown>) => {
      const event = makeEvent({ name, cwd: folder, env: { CLAUDE_PROJECT_DIR: '/p' }, fields })
      await runCommand(makeHook({ command: 'cat > both.json', dialect, passContext: true }), event, {})
      return JSON.parse(readFileSync(join(folder, 'both.json'), 'utf8')) as unknown
    }
    expect(await see('UserPromptSubmit', { prompt: 'hello' })).toMatchObject({
      event: 'UserPromptSubmit',
      user_prompt: 'hello',
      prompt: 'hello',
      env: { CLAUDE_PROJECT_DIR: '/p' },
    })
    expect(await see('PostToolUse', { toolName: 'Read', toolResponse: { a: 1 } })).toMatchObject({
      tool_output: { a: 1 },
      tool_response: { a: 1 },
    })
    // This event has a field of that name of its own.
    expect(await see('FileChanged', { filePath: 'a', event: 'change' })).toMatchObject({ hook_event_name: 'FileChanged', event: 'change' })
  })

  it('gets the event, the tool and the session in its variables', async () => {
    const { detail } = await run('printf "%s %s %s" "$HOOK_EVENT" "$HOOK_TOOL_NAME" "$HOOK_SESSION_ID"')
    expect(detail?.stdout).toBe('PreToolUse Bash s1')
  })

  it('gets the listed variables and nothing else of this process', async () => {
    const env = {
      PATH: process.env.PATH,
      HOME: '/h',
      LC_ALL: 'C',
      XDG_CACHE_HOME: '/x',
      ANTHROPIC_API_KEY: 'secret',
      NODE_OPTIONS: '--no-warnings',
    }
    const hook = makeHook({ command: '/usr/bin/env', args: [], env: { MINE: '1', HOOK_EVENT: 'overridden' } })
    const answer = await runCommand(hook, makeEvent({ cwd: folder, env: { CLAUDE_PROJECT_DIR: '/p' } }), { env })
    const seen = Object.fromEntries(
      (answer.detail?.stdout ?? '')
        .trim()
        .split('\n')
        .map(line => line.split('=')),
    )
    expect(seen).toEqual({
      PATH: process.env.PATH,
      HOME: '/h',
      LC_ALL: 'C',
      XDG_CACHE_HOME: '/x',
      CLAUDE_PROJECT_DIR: '/p',
      GEMINI_PROJECT_DIR: '/p',
      QWEN_PROJECT_DIR: '/p',
      FACTORY_PROJECT_DIR: '/p',
      HOOK_EVENT: 'overridden',
      HOOK_TOOL_NAME: 'Bash',
      HOOK_SESSION_ID: 's1',
      HOOK_RUN_ID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      MINE: '1',
    })
  })

  it('runs whatever the tool is called', async () => {
    const event = makeEvent({ cwd: folder, fields: { toolName: `a\0b${'c'.repeat(300_000)}` } })
    const answer = await runCommand(makeHook({ command: 'printf %s "$HOOK_TOOL_NAME"' }), event, {})
    expect(answer.detail?.stdout).toBe(`ab${'c'.repeat(998)}`)
  })

  it.each(listAgents().map(({ id }) => id))('finds the project under every name of it, whichever the agent: %s', async agent => {
    const names = [...new Set(listAgents().flatMap(({ projectVariables }) => projectVariables))]
    const event = makeEvent({ cwd: folder, agent })
    const delivery = { agentId: 'a', eventId: null, root: '/root of it', policyHash: null }
    const spelled = names.map(name => `"$${name}"`).join(' ')
    const inShell = await runCommand(makeHook({ command: `printf '%s\\n' ${spelled}` }), { ...event, delivery }, {})
    expect(inShell.detail?.stdout?.trim().split('\n')).toEqual(names.map(() => '/root of it'))
    const alone = await runCommand(makeHook({ command: 'printf', args: ['%s', '${CLAUDE_PROJECT_DIR}/x'] }), event, {})
    expect(alone.detail?.stdout).toBe(`${folder}/x`)
  })

  it('fills in ${CLAUDE_PROJECT_DIR} in exec form as one argument, without a shell', async () => {
    const hook = makeHook({ command: 'printf', args: ['%s\n', '${CLAUDE_PROJECT_DIR}/a', '$HOME; echo injected'] })
    const answer = await runCommand(hook, makeEvent({ cwd: folder, env: { CLAUDE_PROJECT_DIR: '/with space' } }), {})
    expect(answer.detail?.stdout).toBe('/with space/a\n$HOME; echo injected\n')
  })

  it('runs bash where the hook says so', async () => {
    const answer = await runCommand(makeHook({ command: 'echo "${BASH_VERSION:+bash}"', shell: 'bash' }), makeEvent({ cwd: folder }), {})
    expect(answer.detail?.stdout).toBe('bash\n')
  })

  it('hooks.toml without pass_context gives an empty stdin', async () => {
    const hook = makeHook({ command: 'wc -c >&2', dialect: 'toml' })
    expect((await runCommand(hook, makeEvent({ cwd: folder }), {})).detail?.stderr?.trim()).toBe('0')
  })
})

describe('processes that misbehave', () => {
  it('exits before reading a stdin of 1 MB', async () => {
    const event = makeEvent({ cwd: folder, fields: { toolName: 'Write', toolInput: { content: 'x'.repeat(1_000_000) } } })
    const answer = await runCommand(makeHook({ command: 'exec <&-; exit 0' }), event, {})
    expect(answer).toMatchObject({ kind: 'answered', detail: { exitCode: 0 } })
  })

  it('reads a stdin of 1 MB to its end', async () => {
    const event = makeEvent({ cwd: folder, fields: { toolName: 'Write', toolInput: { content: 'x'.repeat(1_000_000) } } })
    const answer = await runCommand(makeHook({ command: 'wc -c' }), event, {})
    expect(Number(answer.detail?.stdout)).toBeGreaterThan(1_000_000)
  })

  it('closes stdout and goes on', async () => {
    expect(await run('exec >&-; exit 2')).toMatchObject({ kind: 'answered', result: { verdict: { decision: 'deny' } } })
  })

  it('prints bytes that are not UTF-8', async () => {
    const answer = await run(`printf '\\377\\376' ; printf 'bad \\351' >&2; exit 2`)
    expect(answer).toMatchObject({ kind: 'answered', result: { verdict: deny('bad \uFFFD') } })
  })

  it('dies by a signal: never a success, even after an allow', async () => {
    const answer = await run(`echo '{"decision":"allow"}'; kill -SEGV $$`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'BELAY_HANDLER_SIGNAL', detail: { exitCode: null, signal: 'SIGSEGV' } })
  })

  it('dies by a signal after a deny: the deny counts', async () => {
    expect(await run(`echo '{"decision":"deny","reason":"no"}'; kill -9 $$`)).toMatchObject({
      kind: 'answered',
      result: { verdict: deny('no') },
    })
  })

  it('leaves a grandchild that holds the pipes open', async () => {
    const answer = await run(`sleep 30 & echo $! > grandchild.pid; echo '{"decision":"allow"}'`)
    const grandchild = readPid(join(folder, 'grandchild.pid'))
    expect(answer).toMatchObject({ kind: 'answered', result: { verdict: allow() } })
    // Left running on purpose: a hook may start something that outlives it.
    expect(isAlive(grandchild)).toBe(true)
    process.kill(grandchild)
  })

  it('leaves a grandchild that never stops writing', async () => {
    const answer = await run('yes & echo $! > writer.pid')
    const writer = readPid(join(folder, 'writer.pid'))
    expect(answer).toMatchObject({ kind: 'answered', detail: { exitCode: 0 } })
    await waitUntil(() => !isAlive(writer))
  })

  it('takes too long: it and its children are ended', async () => {
    const answer = await run('sleep 60 & echo $! > child.pid; echo early; wait', {}, { timeoutMs: 1_000 })
    expect(answer).toMatchObject({ kind: 'cancelled', why: 'timeout', detail: { stdout: 'early\n' } })
    await waitUntil(() => !isAlive(readPid(join(folder, 'child.pid'))))
  })

  it.each([
    ['in a session of its own', 'setsid sh -c'],
    ['in a session of its own, without a parent', 'setsid -f sh -c'],
    ['whose parent is gone', 'sh -c "setsid sh -c \\"\\$0\\" & exit" '],
    ['with a clean environment', 'env -i /usr/bin/setsid /bin/sh -c'],
    ['deaf to SIGTERM', `setsid sh -c 'trap "" TERM; eval "$0"; while :; do sleep 0.05; done'`],
  ])('takes too long: so is a child %s', async (name, launcher) => {
    const file = `${name.replaceAll(' ', '-')}.pid`
    const answer = await abortWhenReady(`${launcher} 'echo $$ > ${file}.part; mv ${file}.part ${file}; exec sleep 60' & sleep 60`, file)
    expect(answer).toMatchObject({ kind: 'cancelled', why: 'aborted' })
    await waitUntil(() => !isAlive(readPid(join(folder, file))))
  })

  it('ends by itself: a child in a session of its own goes on', async () => {
    await run(
      'setsid -f sh -c "echo \\$\\$ > left.part; mv left.part left.pid; exec sleep 60"; while [ ! -e left.pid ]; do sleep 0.02; done',
    )
    const left = readPid(join(folder, 'left.pid'))
    expect(isAlive(left)).toBe(true)
    process.kill(left)
  })

  it('ignores SIGTERM: SIGKILL follows', async () => {
    const answer = await abortWhenReady(
      `trap '' TERM; echo $$ > stubborn.pid; touch stubborn.ready; while :; do sleep 1; done`,
      'stubborn.ready',
    )
    expect(answer).toMatchObject({ kind: 'cancelled', why: 'aborted' })
    await waitUntil(() => !isAlive(readPid(join(folder, 'stubborn.pid'))))
  })

  it('uses SIGTERM to clean up', async () => {
    await abortWhenReady(`trap 'echo cleaned > cleaned.txt; exit' TERM; touch clean.ready; while :; do sleep 0.05; done`, 'clean.ready')
    await waitUntil(() => existsSync(join(folder, 'cleaned.txt')))
  })

  it('has no more time than the caller', async () => {
    expect(await run('sleep 60', { deadlineMs: 300 })).toMatchObject({ kind: 'cancelled', why: 'timeout' })
  })

  it('floods stdout and stderr with 1 GB: bounded memory, the beginning kept', async () => {
    const before = process.memoryUsage().rss
    let peak = before
    const sampler = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 20)
    const answer = await run('head -c 805306368 /dev/zero; head -c 268435456 /dev/zero >&2')
    clearInterval(sampler)
    expect(answer).toMatchObject({ kind: 'answered', result: { verdict: none() }, detail: { exitCode: 0, truncated: true } })
    expect(answer.detail?.stdout).toHaveLength(1024 * 1024)
    expect(answer.detail?.stderr).toHaveLength(64 * 1024)
    expect(peak - before).toBeLessThan(256 * 1024 * 1024)
  })
})

describe('programs that cannot start', () => {
  it.each([
    ['a missing program', makeHook({ command: '/nowhere/at-all', args: [] }), {}, 'BELAY_HANDLER_NO_PROGRAM', '/nowhere/at-all'],
    [
      'a file that is not executable',
      makeHook({ command: join(folder, 'plain.txt'), args: [] }),
      {},
      'BELAY_HANDLER_NO_PROGRAM',
      'not executable',
    ],
    ['a cwd that is gone', makeHook({ command: 'true' }), { cwd: join(folder, 'gone') }, 'BELAY_HANDLER_NO_CWD', 'gone does not exist'],
    ['no cwd', makeHook({ command: 'true' }), { cwd: '' }, 'BELAY_HANDLER_NO_CWD', 'not an absolute path'],
    ['a NUL in a variable', makeHook({ command: 'true', env: { A: 'a\0b' } }), {}, 'BELAY_HANDLER_NOT_STARTED', 'null bytes'],
    [
      'an argument that is too long',
      makeHook({ command: 'true', args: ['x'.repeat(4_000_000)] }),
      {},
      'BELAY_HANDLER_NOT_STARTED',
      'too large',
    ],
  ])('%s', async (_title, hook, change, code, words) => {
    writeFileSync(join(folder, 'plain.txt'), 'text')
    chmodSync(join(folder, 'plain.txt'), 0o644)
    const answer = await runCommand(hook, makeEvent({ cwd: folder, ...change }), {})
    expect(answer).toMatchObject({ kind: 'failed', code, why: expect.stringContaining(words) })
  })

  it('in a shell: exit code 127, and the hook is named', async () => {
    const answer = await run('nowhere-at-all', {}, { name: 'lint' })
    expect(answer).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_EXIT',
      why: expect.stringMatching(/^hook "lint" exited with code 127: .*not found/),
    })
  })
})

describe('whoever watches', () => {
  it('sees stderr while the hook runs', async () => {
    const texts: string[] = []
    const answer = run('echo working >&2; while [ ! -e seen.txt ]; do sleep 0.02; done; echo done >&2', {
      onOutput: text => texts.push(text),
    })
    await waitUntil(() => texts.length > 0)
    writeFileSync(join(folder, 'seen.txt'), '')
    expect(await answer).toMatchObject({ kind: 'answered', detail: { stderr: 'working\ndone\n' } })
    expect(texts.join('')).toBe('working\ndone\n')
  })

  it('may throw', async () => {
    const onOutput = () => {
      throw new Error('watcher')
    }
    expect(await run('echo a >&2; echo b >&2', { onOutput })).toMatchObject({ kind: 'answered', detail: { stderr: 'a\nb\n' } })
  })
})

describe('hooks that go on in the background', () => {
  it('the first line says so, with and without its newline', async () => {
    for (const print of ['echo', "printf '%s'"]) {
      const answer = await run(
        `${print} '{"async":true,"asyncTimeout":5000}'; sleep 0.3; printf '\\n{"systemMessage":"later","decision":"deny"}'`,
      )
      expect(answer.kind).toBe('detached')
      if (answer.kind !== 'detached') continue
      expect(await answer.settled).toMatchObject({
        kind: 'answered',
        result: { verdict: none(), message: 'later' },
        detail: { exitCode: 0 },
      })
    }
  })

  it('one that is done at once is read no differently', async () => {
    const answer = await run(`echo '{"async":true}'; echo '{"systemMessage":"done"}'`)
    expect(answer.kind === 'detached' && (await answer.settled)).toMatchObject({
      kind: 'answered',
      result: { verdict: none(), message: 'done' },
    })
  })

  it('hooks.toml without parse_result: stdout is not read, so the exit code still decides', async () => {
    const hook = makeHook({ command: `echo '{"async":true}'; exit 1`, dialect: 'toml' })
    expect(await runCommand(hook, makeEvent({ cwd: folder }), {})).toMatchObject({
      kind: 'answered',
      result: { verdict: { decision: 'deny' } },
    })
  })

  it('has its own time limit and no longer listens to the caller', async () => {
    const controller = new AbortController()
    const answer = await run(`echo '{"async":true,"asyncTimeout":300}'; sleep 60`, { signal: controller.signal })
    controller.abort()
    expect(answer.kind === 'detached' && (await answer.settled)).toMatchObject({ kind: 'cancelled', why: 'timeout' })
  })
})
