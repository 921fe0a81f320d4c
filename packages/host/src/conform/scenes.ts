// Every scene, in the order in which they are played.
import { CLIENT, DAEMON, POLICY_BROKEN, POLICY_CHANGE } from './scene/fault.ts'
import { COMPACTION, RESUME } from './scene/life.ts'
import { ASKING, PEOPLE } from './scene/people.ts'
import { BORROWED, MCP, WORKTREE } from './scene/place.ts'
import type { Scene } from './scene/scene.ts'
import { SESSION } from './scene/session.ts'
import { PROMPT, PROMPT_FILE, STOP, SUB_AGENT } from './scene/turn.ts'

export const SCENES: readonly Scene[] = [
  SESSION,
  PEOPLE,
  ASKING,
  PROMPT,
  PROMPT_FILE,
  STOP,
  SUB_AGENT,
  RESUME,
  COMPACTION,
  WORKTREE,
  MCP,
  POLICY_CHANGE,
  POLICY_BROKEN,
  DAEMON,
  CLIENT,
  BORROWED,
]
