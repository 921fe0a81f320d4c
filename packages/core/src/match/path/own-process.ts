// Which process is Belay's: the daemon by what it writes down, the others by their command lines. An agent's is as good as ours: whoever
// opens its debugger, or leaves it without descriptors, has it make calls that no hook hears of.
import { isAgentLine } from './agent-program.ts'
import type { FileView } from './file-view.ts'

export interface ProcessContext {
  readonly files: FileView
  readonly belayHome: string
}

interface Daemon {
  readonly pid: number | null
  readonly port: number | null
}

export function readDaemon({ files, belayHome }: ProcessContext): Daemon {
  try {
    const facts: unknown = JSON.parse(files.text(`${belayHome}/run/daemon.json`) ?? '{}')
    const number = (name: string): number | null => {
      const value = typeof facts === 'object' && facts !== null ? Reflect.get(facts, name) : null
      return typeof value === 'number' ? value : null
    }
    return { pid: number('pid'), port: number('port') }
  } catch {
    return { pid: null, port: null }
  }
}

/** The first of these numbers that is a process of ours. */
export function findOurs(numbers: readonly number[], context: ProcessContext): number | undefined {
  if (numbers.length === 0) return undefined
  const { pid } = readDaemon(context)
  return numbers.find(number => number === pid || isOurProcess(number, context))
}

function isOurProcess(pid: number, { files }: ProcessContext): boolean {
  return OWN_WORD.test((files.text(`/proc/${pid}/cmdline`) ?? '').split('\0').slice(0, 4).join(' '))
}

/** The first of these numbers that is a running agent. */
export function findAgentProcess(numbers: readonly number[], { files }: ProcessContext): number | undefined {
  return numbers.find(number => number > 1 && isAgentLine(files.text(`/proc/${number}/cmdline`) ?? ''))
}

export const OWN_WORD = /belay|mentu/i

export interface ProcessFacts {
  readonly name: string
  readonly parent: number
  readonly group: number
}

/** null: no such process, or none that is told of here. */
export function readProcess(pid: number, { files }: ProcessContext): ProcessFacts | null {
  const [, name, parent, group] = /\((.*)\) \S (\d+) (\d+)/s.exec(files.text(`/proc/${pid}/stat`) ?? '') ?? []
  return name === undefined ? null : { name, parent: Number(parent), group: Number(group) }
}
