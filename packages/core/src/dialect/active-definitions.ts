// What to register when a file takes effect: for a skill or an agent when it starts, with the undos called when it ends.
import type { HookDefinition } from '../hook/hook-definition.ts'
import type { LoadedConfig } from './loaded-config.ts'

export function activeDefinitions({ hooks }: LoadedConfig): readonly HookDefinition[] {
  return hooks.flatMap(hook => (hook.state === 'active' && hook.definition !== null ? [hook.definition] : []))
}
