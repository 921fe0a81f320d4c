import { opencodeLike } from './family.ts'

export const opencode = opencodeLike({
  name: 'opencode',
  program: 'opencode',
  ownPaths: ['.opencode', 'opencode.json', 'opencode.jsonc', '~/.config/opencode'],
  hookPaths: ['.opencode/plugin'],
  unheardText: ['commands', 'skills'],
})
