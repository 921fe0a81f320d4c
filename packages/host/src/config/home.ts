// Where Belay keeps the state of one user. Everything else asks here for its place.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where an administrator puts the policy of every user. */
export const SYSTEM_DIRECTORY = '/etc/belay'

export interface HomePaths {
  readonly home: string
  readonly config: string
  readonly policy: string
  readonly trust: string
  /** Last good version of each policy file, by the hash of its path. */
  readonly goodPolicies: string
}

export function findHome(env: Readonly<Record<string, string | undefined>>): string {
  const given = env.BELAY_HOME
  return given === undefined || given === '' ? join(env.HOME || homedir(), '.belay') : resolve(given)
}

export function homePaths(home: string): HomePaths {
  return {
    home,
    config: join(home, 'config.toml'),
    policy: join(home, 'policy', 'genesis.key'),
    trust: join(home, 'trust.json'),
    goodPolicies: join(home, 'run', 'policy-good'),
  }
}
