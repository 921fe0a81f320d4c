// The event as command and http hooks read it: the agent's own snake_case, with the identity fields that genesis hooks expect.
import type { HookEvent } from '../hook/hook-event.ts'
import { SHARED_FIELDS } from './common-fields.ts'
import { toSnakeCase } from './key-case.ts'
import { EVENTS } from './table.ts'

/** Fields nobody here knows keep their spelling; values are passed on untouched. */
export function toWirePayload(event: HookEvent): Record<string, unknown> {
  const wire: Record<string, unknown> = {
    session_id: event.sessionId,
    transcript_path: event.transcriptPath,
    cwd: event.cwd,
    hook_event_name: event.name,
    actor: event.actor,
  }
  if (event.alsoAs !== undefined) wire.also_as = event.alsoAs
  if (event.permissionMode !== null) wire.permission_mode = event.permissionMode
  if (event.commitment !== null) wire.commitment_id = event.commitment
  const known = KNOWN_NAMES.get(event.name) ?? SHARED_NAMES
  for (const [name, value] of Object.entries(event.fields)) wire[known.has(name) ? toSnakeCase(name) : name] = value
  return wire
}

const SHARED_NAMES = new Set(Object.keys(SHARED_FIELDS))
const KNOWN_NAMES = new Map(EVENTS.map(event => [event.name, new Set([...SHARED_NAMES, ...Object.keys(event.fields)])]))
