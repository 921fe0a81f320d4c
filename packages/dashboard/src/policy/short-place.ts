// A place in a file as people say it: within the project without the way to it, elsewhere by its last two parts.
import { plainLine } from '../part/plain-text.ts'

export function shortPlace(place: string | null, root: string): string {
  if (place === null) return '–'
  const short = place.startsWith(`${root}/`) ? place.slice(root.length + 1) : place.split('/').slice(-2).join('/')
  return plainLine(short, 120)
}
