import { describe, expect, test } from 'vitest'
import { parseConfig, readConfig } from './config-file.ts'

describe('parseConfig', () => {
  test('every key', () => {
    const text = `
port = 4600
person = "ada"

[retention]
bodies_days = 30
events_days = 90

[ledger]
export = ["/mnt/last.note", "git:."]

[hooks]
disable_all_hooks = false
allow_managed_hooks_only = true
modify_from = "policy"

[agents.claude-code]
actor = "agent:executor"
context_window = 1000000
hold_ms = 30000

[agents.codex]
actor = "agent:auditor"

[approvals]
expiry = "30m"
webhook = "https://hooks.example.com/approve"
notify = "desktop"

[llm]
provider = "anthropic"
model = "small"
base_url = "http://127.0.0.1:8080"
daily_budget = 2.5
input_price = 0.5
output_price = 4

[directives]
names = ["AGENTS.md"]
budget = 8000

[http_hooks]
allow = ["127.0.0.1"]

[statusline]
command = "status"

[file_suggestion]
command = "suggest"
`
    expect(parseConfig(text, 'config.toml')).toEqual({
      ok: true,
      config: {
        port: 4600,
        person: 'ada',
        retention: { bodiesDays: 30, eventsDays: 90 },
        ledger: { export: ['/mnt/last.note', 'git:.'] },
        hooks: { disableAllHooks: false, allowManagedHooksOnly: true, modifyFrom: 'policy' },
        agents: {
          'claude-code': { actor: 'agent:executor', contextWindow: 1_000_000, holdMs: 30_000 },
          codex: { actor: 'agent:auditor' },
        },
        approvals: { expiryMs: 1_800_000, webhook: 'https://hooks.example.com/approve', notify: 'desktop' },
        llm: { provider: 'anthropic', model: 'small', baseUrl: 'http://127.0.0.1:8080', dailyBudget: 2.5, inputPrice: 0.5, outputPrice: 4 },
        directives: { names: ['AGENTS.md'], budget: 8000 },
        httpHooks: { allow: ['127.0.0.1'] },
        statusline: { command: 'status' },
        fileSuggestion: { command: 'suggest' },
      },
    })
  })

  test('no file is an empty configuration', () => {
    expect(readConfig('/nonexistent/config.toml')).toEqual({ ok: true, config: {} })
    expect(parseConfig('', 'config.toml')).toEqual({ ok: true, config: {} })
  })

  test('every mistake is listed with its place', () => {
    const text = `prot = 1
port = 0
telemetry = true

[hooks]
modify_from = "anyone"
disable_all = true

[agents.claude]
actor = "x"

[agents.codex]
hold_ms = -1

[approvals]
expiry = "soon"

[retention]
bodies_days = 1.5

llm = 3
`
    const parsed = parseConfig(text, 'config.toml')
    if (parsed.ok) throw new Error('expected errors')
    const lines = parsed.errors.map(
      ({ place, message, remedy }) => `${place.line}:${place.column} ${message}${remedy === undefined ? '' : ` (${remedy})`}`,
    )
    expect(lines).toEqual([
      '3:1 there is no telemetry: Belay sends nothing anywhere unless a hook of yours does (remove `telemetry`)',
      '2:1 `port` is 0, expected a whole number from 1 to 65535',
      '19:1 `retention.bodies_days` is 1.5, expected a whole number from 1',
      '21:1 `retention` has no key `llm` (use one of bodies_days, events_days, entries_days)',
      '6:1 `hooks.modify_from` is "anyone", expected one of any, policy',
      '7:1 `hooks` has no key `disable_all` (did you mean disable_all_hooks?)',
      '9:9 there is no agent `claude` (did you mean claude-code?)',
      '13:1 `agents.codex.hold_ms` is -1, expected a whole number from 0',
      '16:1 `approvals.expiry` is "soon", expected a duration such as "30m"',
      '1:1 config.toml has no key `prot` (did you mean port?)',
    ])
  })

  test('TOML that does not parse', () => {
    expect(parseConfig('a = 1\nb = \n', 'config.toml')).toMatchObject({ ok: false, errors: [{ place: { file: 'config.toml', line: 2 } }] })
    expect(parseConfig('a = 1\na = 2\n', 'config.toml')).toMatchObject({ ok: false, errors: [{ place: { line: 2 } }] })
  })
})
