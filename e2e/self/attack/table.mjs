// Every attack by name.
import { CLOCK } from './clock.mjs'
import { DAEMON_AWAY } from './daemon-away.mjs'
import { END_PROCESS } from './end-process.mjs'
import { ENVIRONMENT } from './environment.mjs'
import { HOOK_LINE } from './hook-line.mjs'
import { LAID_TREE } from './laid-tree.mjs'
import { OTHER_USER } from './other-user.mjs'
import { OWN_FILES } from './own-files.mjs'
import { OWN_VERB } from './own-verb.mjs'
import { PERSON } from './person.mjs'
import { POLICY_GONE } from './policy.mjs'
import { REAL } from './real.mjs'
import { RECORD } from './record.mjs'
import { SETTINGS_CHANGE } from './settings-change.mjs'
import { SKILL_LINE } from './skill-line.mjs'
import { TRIM } from './trim.mjs'

const ALL = [
  ...[
    ...ENVIRONMENT,
    ...OWN_FILES,
    ...LAID_TREE,
    ...SETTINGS_CHANGE,
    ...SKILL_LINE,
    ...OWN_VERB,
    ...PERSON,
    ...CLOCK,
    ...HOOK_LINE,
    ...DAEMON_AWAY,
    ...END_PROCESS,
    ...POLICY_GONE,
    ...OTHER_USER,
  ],
  ...[...RECORD, ...TRIM],
]

/** `isShort`: also part of the short form; `isReal`: also through the real agent. */
export const ATTACKS = ALL.map(attack => ({ ...attack, isReal: REAL.has(attack.name) }))
for (const name of REAL) findAttack(name)

export function findAttack(name) {
  const found = ATTACKS.find(each => each.name === name)
  if (found === undefined) throw new Error(`no attack is called ${name}`)
  return found
}
