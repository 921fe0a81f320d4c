// `belay mcp pin | diff | approve`: what is kept of the definitions of servers' tools, what waits for a person, and the person's word.
import { suggestRemedy } from '@belay/core/policy'
import { findHome } from '../config/home.ts'
import { approveTools, describeChange, listPins } from '../mcp-proxy/tool-pins.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'

export interface PinOptions {
  readonly server?: string
  readonly tool?: string
  readonly json?: boolean
}

const WHEN_PINNED = 'tools are pinned when a client first lists them through belay mcp-proxy'

type Pins = ReturnType<typeof listPins>[number]

export function runMcpPin(options: PinOptions, io: CommandIo): ExitCode {
  const found = findPins(options, io)
  if (typeof found === 'number') return found
  if (options.json === true) {
    printJson(io, { servers: found.map(({ server, target, pinned, waiting }) => ({ server, target, pinned, waiting })) })
    return 0
  }
  if (found.length === 0) printLine(io.stdout, `No server was seen yet: ${WHEN_PINNED}.`)
  for (const { server, target, pinned, waiting } of found) {
    const names = Object.keys(waiting)
    printLine(
      io.stdout,
      `${server}  ${Object.keys(pinned).length} pinned${names.length === 0 ? '' : `, waiting: ${names.join(' ')}`}  ${target}`,
    )
  }
  return 0
}

/** 1 where something waits. */
export function runMcpDiff(options: PinOptions, io: CommandIo): ExitCode {
  const found = findPins(options, io)
  if (typeof found === 'number') return found
  const changes = found.flatMap(pins =>
    Object.keys(pins.waiting).map(tool => ({ server: pins.server, tool, change: describeChange(pins, tool) })),
  )
  if (options.json === true) printJson(io, { changes })
  else if (changes.length === 0) printLine(io.stdout, 'Every tool is as it was pinned.')
  else for (const { server, change } of changes) printLine(io.stdout, `${server}: ${change}\n`)
  return changes.length === 0 ? 0 : 1
}

export function runMcpApprove(options: PinOptions, io: CommandIo): ExitCode {
  const found = findPins(options, io)
  if (typeof found === 'number') return found
  const tool = options.tool ?? null
  const approved = found.flatMap(pins => approveTools(pins.file, pins, tool).map(name => ({ server: pins.server, tool: name })))
  if (tool !== null && approved.length === 0) return fail(io, `no definition of ${tool} waits`, 'belay mcp diff shows what does')
  if (options.json === true) printJson(io, { approved })
  else if (approved.length === 0) printLine(io.stdout, 'Nothing waits: every tool is as it was pinned.')
  for (const { server, tool: name } of options.json === true ? [] : approved) printLine(io.stdout, `pinned  ${server} ${name}`)
  return 0
}

/** Those of one server, or of all. */
function findPins({ server }: PinOptions, io: CommandIo): readonly Pins[] | ExitCode {
  const all = listPins(findHome(io.env))
  if (server === undefined) return all
  const found = all.filter(pins => pins.server === server)
  if (found.length > 0) return found
  const names = all.map(pins => pins.server)
  const remedy = names.length === 0 ? `none was seen yet: ${WHEN_PINNED}` : (suggestRemedy(server, names) ?? `servers: ${names.join(' ')}`)
  return fail(io, `no server called ${server} was seen`, remedy)
}
