// Belay's own package in the hands of a package manager: taken out, or replaced by another version.
import type { Word } from '../shell/shell-analysis.ts'
import type { Protection } from './protect-path.ts'

const MANAGERS = /^(?:npm|pnpm|yarn|yarnpkg|bun|cnpm|corepack|volta)$/
const CHANGES =
  /^(?:i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|install|add|ci|remove|rm|r|un|unlink|uninstall|update|up|upgrade|udpate|link|ln|prune|dedupe|pin)$/
const OWN = /^(?:(?:npm:)?@belay\/(?:host|core)|belay|mentu)(?:@.*)?$/

export function protectPackage(program: string, words: readonly Word[]): Protection | null {
  if (!MANAGERS.test(program)) return null
  const values = words.slice(1).map(({ value }) => value ?? '')
  const own = values.find(value => OWN.test(value))
  if (own === undefined || !values.slice(0, values.indexOf(own)).some(value => CHANGES.test(value))) return null
  return { decision: 'ask', reason: `${program} would change Belay's own program (${own}); a person must agree` }
}
