// Fits texts into what an agent takes at once: best first, whole texts only; of the rest the paths are named.
import type { Injection } from './work-row.ts'

const ORDER: Readonly<Record<Injection['kind'], number>> = { taken: 0, signal: 0, note: 1, directive: 2 }
/** Kept free for the list of what did not fit. */
const RESERVE = 600

export function fitInjections(injections: readonly Injection[], limit: number): string {
  const texts: string[] = []
  const left: Injection[] = []
  let room = limit - RESERVE
  for (const injection of [...injections].sort((a, b) => ORDER[a.kind] - ORDER[b.kind])) {
    if (injection.text.length + 1 > room) {
      left.push(injection)
      continue
    }
    texts.push(injection.text)
    room -= injection.text.length + 1
  }
  const paths = left.flatMap(injection => injection.path ?? [])
  if (paths.length > 0) texts.push(listPaths(paths))
  return texts.join('\n')
}

function listPaths(paths: readonly string[]): string {
  const lines: string[] = []
  let room = RESERVE - 80
  for (const path of paths) {
    if (path.length + 3 > room) break
    lines.push(`- ${path}`)
    room -= path.length + 3
  }
  const more = paths.length - lines.length
  return ['Also read:', ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}
