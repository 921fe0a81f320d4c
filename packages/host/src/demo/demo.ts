// npm start: a guarded session, live. A daemon with a home inside the clone, an agent's calls through the same hook process a real agent
// starts, each shown with what was decided, by which rule, and what it cost. With --once it checks itself and ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorText } from '@belay/core/value'
import { quote } from '../agent/hook-command.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { runPaths } from '../wire/run-paths.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { countEventsOnPage, newLink } from './page.ts'
import { POLICY, STEPS, type Step } from './script.ts'
import { describeDecision, describeRecord, describeSummary, outcomeOf, type Seen, wrap } from './show.ts'

interface Place {
  readonly home: string
  readonly project: string
  readonly bin: string
}

const SESSION = 'demonstration'
/** What may be set where somebody tries this, and would change what is shown. */
const OF_THE_CALLER = ['BELAY_ACTOR', 'BELAY_COMMITMENT', 'BELAY_STORE', 'AGENT_ID']
/** As a shell says it of Ctrl-C. */
const INTERRUPTED = 130

export async function main(argv: readonly string[], root: string): Promise<number> {
  const once = argv.includes('--once')
  const place: Place = {
    home: join(root, '.demo', 'home'),
    project: join(root, '.demo', 'project'),
    bin: join(root, 'packages/host/bin/belay.cjs'),
  }
  const stop = listenForStop()
  const { socket } = runPaths(place.home, process.env)
  await belay(place, ['down'])
  try {
    prepare(place)
    const up = await belay(place, ['up', '--detach', '--port', '0'])
    if (up.code !== 0) throw new Error(up.output.trim())
    process.stdout.write(introduction(place, up.output))
    const code = await demonstrate(place, socket, stop)
    if (code !== 0 || once) return code
    const fleet = await showMore(place, socket)
    await untilAborted(stop)
    fleet.stop()
    return 0
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`)
    return 1
  } finally {
    await belay(place, ['down'])
  }
}

/** Aborted by Ctrl-C or a closed terminal, whenever it comes: the daemon does not outlive the demonstration. */
function listenForStop(): AbortSignal {
  const controller = new AbortController()
  // Not once: npm passes on what the terminal has already sent, and the second one would end us before the daemon is down.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort())
  return controller.signal
}

function untilAborted(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve()
  return new Promise(resolve => {
    // A listener alone does not keep the process.
    const alive = setInterval(() => undefined, 1 << 30)
    stop.addEventListener('abort', () => {
      clearInterval(alive)
      resolve()
    })
  })
}

async function demonstrate(place: Place, socket: string, stop: AbortSignal): Promise<number> {
  const wrong = await play(place, stop)
  if (stop.aborted) return INTERRUPTED
  const verified = await belay(place, ['ledger', 'verify', '--json'])
  if (verified.code !== 0) throw new Error(verified.output)
  const { records } = JSON.parse(verified.stdout) as { readonly records: number }
  process.stdout.write(describeRecord(records))
  process.stdout.write(await describePage(socket, records))
  return wrong > 0 ? 1 : 0
}

function prepare({ home, project }: Place): void {
  rmSync(join(home, '..'), { recursive: true, force: true })
  makeFolder(join(project, '.belay'))
  makeFolder(join(project, 'src'))
  writeFileSync(join(project, '.belay', 'genesis.key'), POLICY)
  writeFileSync(join(project, 'README.md'), '# A project an agent works in\n')
}

function introduction({ project }: Place, up: string): string {
  const said = `Belay judges what an agent wants to do before it happens. This is a scripted agent; a real one (Claude Code, Codex, Gemini CLI ...) calls the same hook. The policy is ${join(project, '.belay', 'genesis.key')}.`
  return `\n${wrap(said)}\n${up.trim()}\n\n`
}

/** Plays the session and gives the number of decisions that were not as they should be. */
async function play(place: Place, stop: AbortSignal): Promise<number> {
  await belay(place, ['policy', 'trust'], { cwd: place.project })
  const feed = await followFeed(place)
  const seen: Seen[] = []
  for (const [index, step] of STEPS.entries()) {
    if (stop.aborted) break
    const decided = feed.next(step.event)
    const answer = await belay(place, ['hook', '--agent', 'claude-code', '--event', step.event], {
      cwd: place.project,
      stdin: payload(place, step, index),
    })
    // Ctrl-C reached the hook too.
    if (stop.aborted) break
    const entry: Seen = { step, decision: await decided, answered: answer.stdout }
    seen.push(entry)
    process.stdout.write(describeDecision(entry))
    await pause(stop)
  }
  feed.close()
  if (stop.aborted) return 0
  process.stdout.write(describeSummary(seen))
  return seen.filter(({ step, decision }) => outcomeOf(decision) !== step.expected).length
}

/** A person reads along; nobody else has to wait. */
const PACE_MS = 900

async function pause(stop: AbortSignal): Promise<void> {
  if (process.stdout.isTTY === true) await sleep(PACE_MS, undefined, { signal: stop }).catch(() => undefined)
}

function payload({ project }: Place, { event, tool, input, fields }: Step, index: number): string {
  const call = tool === undefined ? {} : { tool_name: tool, tool_input: input, tool_use_id: `call-${index}` }
  return JSON.stringify({ session_id: SESSION, cwd: project, hook_event_name: event, ...call, ...fields })
}

interface Feed {
  /** The next decision about this event. */
  next(event: string): Promise<Seen['decision']>
  close(): void
}

/** What the dashboard sees too. */
function followFeed({ home }: Place): Promise<Feed> {
  const waiting: { event: string; resolve: (decision: Seen['decision']) => void; reject: (error: Error) => void }[] = []
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: runPaths(home, process.env).socket, path: '/v1/events' }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) take(block)
      })
      response.on('close', () => {
        for (const { reject: fail } of waiting)
          fail(new Error(`the daemon has ended; its log says why: ${runPaths(home, process.env).log}`))
      })
      resolve({
        next: event => new Promise((settle, fail) => waiting.push({ event, resolve: settle, reject: fail })),
        close() {
          waiting.length = 0
          call.destroy()
        },
      })
    })
    call.on('error', reject)
    call.end()
  })

  function take(block: string): void {
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (data === undefined) return
    const { body } = JSON.parse(data)
    const index = waiting.findIndex(({ event }) => event === body?.event)
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(body)
  }
}

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly output: string
}

function belay(
  { home, bin }: Place,
  args: readonly string[],
  options: { readonly cwd?: string; readonly stdin?: string } = {},
): Promise<Ran> {
  return new Promise(resolve => {
    const child: ChildProcess = spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd ?? process.cwd(),
      env: {
        ...process.env,
        BELAY_HOME: home,
        // The one daemon is ours to start.
        BELAY_NO_AUTOSTART: '1',
        ...Object.fromEntries(OF_THE_CALLER.map(name => [name, undefined])),
      },
    })
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', chunk => {
      stdout += chunk
    })
    child.stderr?.on('data', chunk => {
      stderr += chunk
    })
    // One that reads nothing may be gone before it was fed.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(options.stdin ?? '')
    child.on('close', code => resolve({ code: code ?? 1, stdout, output: stdout + stderr }))
  })
}

/** The dashboard is for people: where an agent runs the demonstration there is no link, and that is as it should be. */
async function describePage(socket: string, records: number): Promise<string> {
  const link = await newLink(socket)
  if (!link.ok) return `${wrap(`No dashboard here: ${link.why}.`)}\n`
  const shown = await countEventsOnPage(link.url)
  if (shown < records) throw new Error(`the dashboard shows ${shown} of ${records} entries`)
  return 'The dashboard shows them too.\n'
}

async function showMore({ home, project, bin }: Place, socket: string): Promise<Fleet> {
  const link = await newLink(socket)
  const page = link.ok
    ? `\n${wrap('Three more agents are at work now. Watch them, and decide what they have to ask you for. This link works once, for a minute:')}\n  ${link.url}\nLater:\n  BELAY_HOME=${quote(home)} ${quote(bin)} dashboard\n`
    : ''
  process.stdout.write(`${page}
The daemon stays up until Ctrl-C. Meanwhile, in another terminal:
  cd ${quote(project)} && export BELAY_HOME=${quote(home)}
  ${quote(bin)} explain -- 'git add . && git push --force'
  ${quote(bin)} hooks simulate --tool Bash --args "rm -rf build" --actor agent:executor
`)
  return startFleet(socket, project)
}
