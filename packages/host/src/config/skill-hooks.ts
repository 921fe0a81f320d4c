// The hooks in the frontmatter of SKILL.md, where the policy asks for them (`hooks_from: [genesis, skill]`). They run while the skill is in use:
// in a session since its Skill call, and in an effort that was started for it. Claude Code runs those of its own folders itself.
import { basename, dirname, join } from 'node:path'
import { activeDefinitions, loadConfig } from '@belay/core/dialect'
import { frontmatterName } from './frontmatter-name.ts'
import type { HookFilePlace, ParsedHooks } from './hook-file.ts'
import { type PluginPlace, withEnv } from './plugin-hooks.ts'
import { listFolder, shareHooks } from './share-hooks.ts'

export function skillFolders({
  root,
  home,
  userHome,
}: Omit<PluginPlace, 'trust'>): readonly { readonly folder: string; readonly owner: HookFilePlace['owner'] }[] {
  return [
    ...['.belay', '.claude', '.agents'].map(name => ({ folder: join(root, name, 'skills'), owner: 'project' as const })),
    { folder: join(home, 'skills'), owner: 'user' },
    { folder: join(userHome, '.claude', 'skills'), owner: 'user' },
  ]
}

export function skillPlaces(place: PluginPlace): readonly HookFilePlace[] {
  return skillFolders(place).flatMap(({ folder, owner }) =>
    listFolder(folder, place.trust).map(name => {
      const path = join(folder, name, 'SKILL.md')
      return { path, owner, source: 'skill' as const, isShared: true, parse: (text: string) => parseSkillHooks(text, path) }
    }),
  )
}

export function parseSkillHooks(text: string, path: string): ParsedHooks {
  const folder = dirname(path)
  const parsed = parseFrontmatter(text, path, `${JSON.stringify(frontmatterName(text) ?? basename(folder))} in session.skills`)
  return { ...parsed, hooks: parsed.hooks.map(hook => withEnv(hook, { CLAUDE_SKILL_DIR: folder })) }
}

/** The hooks of a Markdown file, which run where `condition` holds. */
export function parseFrontmatter(text: string, path: string, condition: string): ParsedHooks {
  // Most files have none, and whatever else is wrong with them is not about hooks.
  if (!/^hooks\s*:/m.test(text)) return { hooks: [], settings: {}, diagnostics: [] }
  const config = loadConfig(text, { path, dialect: 'claude', scope: 'skill' })
  const { hooks, diagnostics } = path.includes('/.claude/')
    ? shareHooks(config, 'claude-code')
    : { hooks: activeDefinitions(config), diagnostics: config.diagnostics }
  return {
    hooks: hooks.map(hook => ({ ...hook, condition: hook.condition === undefined ? condition : `(${hook.condition}) && ${condition}` })),
    settings: {},
    diagnostics,
  }
}
