import { opencodeLike } from './family.ts'

export const kilo = opencodeLike({
  name: 'Kilo',
  program: 'kilo',
  ownPaths: ['.kilo', '.kilocode', 'kilo.json', 'kilo.jsonc', '~/.config/kilo'],
  hookPaths: ['.kilo/plugin', '.kilocode/plugin'],
  unheardText: ['commands', 'workflows'],
})
