// Tens of thousands of hook calls in a short time: over the socket of the hook clients, many on their way at once.
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { World } from './world.ts'

const ON_THEIR_WAY = 64

/** Ends when each was answered; one that finds the daemon busy is sent again. */
export async function sendMany(world: World, count: number, commandOf: (n: number) => string): Promise<void> {
  const { socket: path } = JSON.parse((await world.belay(['status', '--json'])).stdout) as { socket: string }
  const socket = connect(join(dirname(path), 'shim.sock'))
  const sent: number[] = []
  let next = 0
  const send = (n: number) => {
    sent.push(n)
    const payload = {
      session_id: 'many',
      cwd: world.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: commandOf(n) },
    }
    socket.write(`${JSON.stringify({ agent: 'claude-code', event: 'PreToolUse', payload })}\n`)
  }
  for (; next < Math.min(count, ON_THEIR_WAY); next++) send(next)
  let answered = 0
  for await (const line of createInterface({ input: socket })) {
    const n = sent.shift()
    if (n !== undefined && 'busy' in (JSON.parse(line) as object)) {
      send(n)
      continue
    }
    answered += 1
    if (answered === count) break
    if (next < count) send(next++)
  }
  socket.destroy()
  if (answered < count) throw new Error(`the daemon answered ${answered} of ${count} calls`)
}
