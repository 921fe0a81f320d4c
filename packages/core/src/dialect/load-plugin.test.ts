import { describe, expect, it } from 'vitest'
import { loadPlugin } from './load-plugin.ts'

const stop = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] } })
const manifest = '.claude-plugin/plugin.json'

function load(files: Record<string, string>) {
  const { files: loaded, diagnostics } = loadPlugin({ manifest, read: path => files[path] ?? null })
  const hooks = [...loaded].map(([path, config]) => [path, config.hooks.map(hook => `${hook.scope} ${hook.state}`)])
  return { hooks: Object.fromEntries(hooks), problems: diagnostics.map(({ message }) => message) }
}

describe('the hooks of a plugin', () => {
  it.each<[string, Record<string, string>, object]>([
    ['inline', { [manifest]: stop }, { hooks: { [manifest]: ['plugin active'] }, problems: [] }],
    [
      'in their usual place',
      { [manifest]: '{"name": "p"}', 'hooks/hooks.json': stop },
      { hooks: { [manifest]: [], 'hooks/hooks.json': ['plugin active'] }, problems: [] },
    ],
    [
      'by path',
      { [manifest]: '{"hooks": "./a/h.json"}', 'a/h.json': stop },
      { hooks: { [manifest]: [], 'a/h.json': ['plugin active'] }, problems: [] },
    ],
    [
      'by a list of folders',
      { [manifest]: '{"hooks": ["./a", "./b/"]}', 'a/hooks.json': stop, 'b/hooks.json': stop },
      { hooks: { [manifest]: [], 'a/hooks.json': ['plugin active'], 'b/hooks.json': ['plugin active'] }, problems: [] },
    ],
    [
      'in a circle',
      {
        [manifest]: '{"hooks": "./a.json"}',
        'a.json': '{"hooks": "./b.json"}',
        'b.json': '{"hooks": ["./a.json", "./.claude-plugin/plugin.json"]}',
      },
      { hooks: { [manifest]: [], 'a.json': [], 'b.json': [] }, problems: [] },
    ],
    [
      'outside',
      {
        [manifest]: '{"hooks": ["../x.json", "/etc/x.json", "a/../../x.json", "~/x.json", "C:\\\\x.json"]}',
        'x.json': stop,
        '../x.json': stop,
      },
      {
        hooks: { [manifest]: [] },
        problems: ['../x.json', '/etc/x.json', 'a/../../x.json', '~/x.json', 'C:\\x.json'].map(
          path => `"${path}" leads out of the plugin and is not read`,
        ),
      },
    ],
    [
      'missing',
      { [manifest]: '{"hooks": "./gone.json"}' },
      { hooks: { [manifest]: [] }, problems: ['"./gone.json" is not in the plugin'] },
    ],
  ])('%s', (_, files, expected) => {
    expect(load(files)).toEqual(expected)
  })
})
