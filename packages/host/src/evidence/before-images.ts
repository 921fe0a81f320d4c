// Files as they were before a call changed them, kept from PreToolUse until the call is over. Paired by the agent's call id, else by
// session, tool and input, in order. Bounded: what is forgotten is only a diff.
import type { HookEvent } from '@belay/core'
import { canonicalJson } from '@belay/core/ledger'
import { type FileImage, readFileImage } from './file-image.ts'
import { touchedFiles } from './touched-files.ts'

export interface BeforeImages {
  keep(event: HookEvent): Promise<void>
  /** What was kept for this call, by path; each is given once. */
  take(event: HookEvent): ReadonlyMap<string, FileImage>
}

interface Kept {
  readonly key: string
  readonly images: ReadonlyMap<string, FileImage>
  readonly bytes: number
}

const MOST_CALLS = 2000
const MOST_BYTES = 64 * 1024 * 1024

export function createBeforeImages(): BeforeImages {
  const calls: Kept[] = []
  let bytes = 0

  const remove = (index: number): Kept | undefined => {
    const [removed] = calls.splice(index, 1)
    bytes -= removed?.bytes ?? 0
    return removed
  }

  return {
    async keep(event) {
      const paths = touchedFiles(event)
      if (paths.length === 0) return
      const images = new Map(await Promise.all(paths.map(async path => [path, await readFileImage(path)] as const)))
      const size = [...images.values()].reduce((sum, image) => sum + (image.text?.length ?? 0), 0)
      calls.push({ key: keyOf(event), images, bytes: size })
      bytes += size
      while (calls.length > MOST_CALLS || bytes > MOST_BYTES) remove(0)
    },
    take(event) {
      const key = keyOf(event)
      const index = calls.findIndex(call => call.key === key)
      return (index === -1 ? undefined : remove(index))?.images ?? new Map()
    },
  }
}

function keyOf({ agent, sessionId, fields }: HookEvent): string {
  const { toolUseId, toolName, toolInput } = fields
  const call = typeof toolUseId === 'string' ? toolUseId : canonicalJson({ toolName, toolInput: toolInput ?? null })
  return `${agent} ${sessionId} ${call}`
}
