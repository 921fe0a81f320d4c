// The hooks in the frontmatter of a sub-agent's description (`agents/NAME.md`), where the policy asks for them (`hooks_from: [genesis, skill]`).
// They run on the events of a sub-agent of that type. Claude Code runs those of its own folders itself.
import { basename, join } from 'node:path'
import { frontmatterName } from './frontmatter-name.ts'
import type { HookFilePlace, ParsedHooks } from './hook-file.ts'
import type { PluginPlace } from './plugin-hooks.ts'
import { listFolder } from './share-hooks.ts'
import { parseFrontmatter } from './skill-hooks.ts'

export function agentFolders({
  root,
  home,
  userHome,
}: Omit<PluginPlace, 'trust'>): readonly { readonly folder: string; readonly owner: HookFilePlace['owner'] }[] {
  return [
    ...['.belay', '.claude'].map(name => ({ folder: join(root, name, 'agents'), owner: 'project' as const })),
    { folder: join(home, 'agents'), owner: 'user' },
    { folder: join(userHome, '.claude', 'agents'), owner: 'user' },
  ]
}

export function agentPlaces(place: PluginPlace): readonly HookFilePlace[] {
  return agentFolders(place).flatMap(({ folder, owner }) =>
    listFolder(folder, place.trust)
      .filter(name => name.endsWith('.md'))
      .map(name => {
        const path = join(folder, name)
        return { path, owner, source: 'skill' as const, isShared: true, parse: (text: string) => parseAgentHooks(text, path) }
      }),
  )
}

export function parseAgentHooks(text: string, path: string): ParsedHooks {
  const type = JSON.stringify(frontmatterName(text) ?? basename(path, '.md'))
  const parsed = parseFrontmatter(text, path, `has(event.agent_type) && event.agent_type == ${type}`)
  // A sub-agent that stops is no agent that stops.
  return { ...parsed, hooks: parsed.hooks.map(hook => (hook.event === 'Stop' ? { ...hook, event: 'SubagentStop' } : hook)) }
}
