import { opencodeLike } from './opencode-like.ts'

export const kilo = opencodeLike({
  id: 'kilo',
  process: /^\.?kilo$|^kilocode$|@kilocode\/cli\b/,
  mark: /^KILO$/,
  plugins: 'plugin',
  package: '@kilocode/cli',
  version: '7.7.7',
  prefix: 'KILO',
  alsoOff: ['SESSION_INGEST', 'SHARE'],
  args: ['run', '--format', 'json'],
  always: ['--auto'],
})
