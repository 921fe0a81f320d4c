import { opencodeLike } from './opencode-like.ts'

export const opencode = opencodeLike({
  id: 'opencode',
  process: /^opencode$|\bopencode-ai\b/,
  mark: /^OPENCODE$/,
  plugins: 'plugins',
  package: 'opencode-ai',
  version: '1.18.33',
  prefix: 'OPENCODE',
  args: ['run', '--format', 'json'],
})
