// The hooks of hooks.toml, or of the same in JSON, of the user and of the project: session scope, beside those of the policy.
import { join } from 'node:path'
import { loadHooks } from '@belay/core/dialect'
import type { HookFilePlace } from './hook-file.ts'

const NAMES = ['hooks.toml', 'hooks.json'] as const

export function projectHookFiles(root: string): readonly string[] {
  return NAMES.map(name => join(root, '.belay', name))
}

export function userHookFiles(home: string): readonly string[] {
  return NAMES.map(name => join(home, name))
}

export function ownHookPlaces({ root, home }: { readonly root: string; readonly home: string }): readonly HookFilePlace[] {
  const place = (owner: HookFilePlace['owner']) => (path: string) => ({
    path,
    owner,
    source: 'hooks_toml' as const,
    isShared: false,
    parse: (text: string) => loadHooks(text, path.endsWith('.toml') ? 'toml' : 'json', path),
  })
  return [...userHookFiles(home).map(place('user')), ...projectHookFiles(root).map(place('project'))]
}
