// Calls that were let go: when, and the files as they were before, kept from PreToolUse until the call is over. Paired by the agent's call
// id, else by session, tool and input, in order. Bounded: what is forgotten is only a diff and a duration.
import type { HookEvent } from '../../hook/hook-event.ts'
import { canonicalJson } from '../../ledger/canonical-json.ts'
import { type FileImage, MAX_TEXT_BYTES, readFileImage } from './file-image.ts'
import { shellWrites } from './shell-writes.ts'
import { touchedFiles } from './touched-files.ts'

export interface BegunCalls {
  begin(event: HookEvent): Promise<void>
  /** What is known of the beginning of this call; given once. */
  end(event: HookEvent): BegunCall
}

export interface BegunCall {
  /** By path. */
  readonly images: ReadonlyMap<string, FileImage>
  /** Null: nobody saw it begin. */
  readonly tookMs: number | null
}

interface Kept {
  readonly key: string
  readonly images: ReadonlyMap<string, FileImage>
  readonly bytes: number
  readonly beganMs: number
}

const MAX_CALLS = 2000
const MAX_BYTES = 64 * 1024 * 1024

/** `nowMs`: of a clock that never steps. */
export function createBegunCalls(nowMs: () => number): BegunCalls {
  const calls: Kept[] = []
  let bytes = 0

  const remove = (index: number): Kept | undefined => {
    const [removed] = calls.splice(index, 1)
    bytes -= removed?.bytes ?? 0
    return removed
  }

  return {
    async begin(event) {
      const images = await readBefore(event)
      const size = [...images.values()].reduce((sum, image) => sum + (image.text?.length ?? 0), 0)
      calls.push({ key: callKey(event), images, bytes: size, beganMs: nowMs() })
      bytes += size
      while (calls.length > MAX_CALLS || bytes > MAX_BYTES) remove(0)
    },
    end(event) {
      const key = callKey(event)
      const index = calls.findIndex(call => call.key === key)
      const call = index === -1 ? undefined : remove(index)
      return call === undefined ? { images: new Map(), tookMs: null } : { images: call.images, tookMs: Math.round(nowMs() - call.beganMs) }
    },
  }
}

async function readBefore(event: HookEvent): Promise<BegunCall['images']> {
  const read = (paths: readonly string[], mostBytes?: number) =>
    Promise.all(paths.map(async path => [path, await readFileImage(path, mostBytes)] as const))
  return new Map([...(await read(touchedFiles(event))), ...(await read(shellWrites(event), MAX_TEXT_BYTES))])
}

/** What pairs the end of a call with its beginning. */
export function callKey({ agent, sessionId, fields }: HookEvent): string {
  const { toolUseId, toolName, toolInput } = fields
  const call = typeof toolUseId === 'string' ? toolUseId : canonicalJson({ toolName, toolInput: toolInput ?? null })
  return `${agent} ${sessionId} ${call}`
}
