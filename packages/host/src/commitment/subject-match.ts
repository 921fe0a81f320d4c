// `match` of a constraint or a tier rule: every key given must fit; a list fits when one of its items does. Nothing given fits everything.
import { matchesActor } from '@belay/core/policy'
import { dataIn, textsIn } from './policy-data.ts'

export interface Subject {
  readonly actor: string
  readonly tags: readonly string[]
  readonly tier: string | null
  readonly title: string
}

export function matchesSubject(match: unknown, subject: Subject): boolean {
  return Object.entries(dataIn(match)).every(([key, value]) => matchesKey(key, textsIn(value), subject))
}

function matchesKey(key: string, wanted: readonly string[], { actor, tags, tier, title }: Subject): boolean {
  switch (key) {
    case 'tag':
    case 'tags':
      return wanted.some(tag => tags.includes(tag))
    case 'actor':
    case 'actors':
      return wanted.some(pattern => matchesActor(pattern, actor))
    case 'tier':
      return wanted.some(name => name.toLowerCase() === tier)
    case 'title':
    case 'body':
      return wanted.some(text => title.toLowerCase().includes(text.toLowerCase()))
    default:
      // A condition that nobody understands must not loosen: the constraint holds.
      return true
  }
}
