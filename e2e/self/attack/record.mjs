// Items 11 to 13: a ledger that another hand changed is named, doctor fails when guarding fails, and what is shown or kept is harmless.
import { readFileSync } from 'node:fs'
import { forgeRow, unnoticed, withDatabase } from './database.mjs'

const hello = { command: 'echo hello' }

const tamper = work => world => withDatabase(world, work)

const ledger = (name, work, patch, more = {}) => ({
  item: 11,
  name,
  patch,
  moves: () => [hello, hello, world => world.belay(['ledger', 'verify']), tamper(work)],
  won: unnoticed,
  isRecorded: false,
  ...more,
})

const dropTrigger = "SELECT name FROM sqlite_schema WHERE type='trigger' AND tbl_name='ledger'"

/** doctor finds nothing wrong. */
const doctorIsFine = world => {
  const { code, out } = world.tryBelay(['doctor', '--json'])
  world.note = JSON.parse(out).findings.filter(({ state }) => state === 'fail')
  return code === 0 ? `doctor is content: ${out.slice(0, 200)}` : null
}

const settings = change => world => {
  const value = JSON.parse(world.read('h/.claude/settings.json'))
  change(value.hooks, value)
  world.put('h/.claude/settings.json', JSON.stringify(value))
}

/** Says yes to one command, and hands everything else on. */
function replaceClient(world) {
  world.put('h/.belay/bin/kept', readFileSync(world.shim), 0o755)
  world.remove('h/.belay/bin/belay-hook')
  const text = '#!/bin/sh\nread -r line\ncase $line in *deploy*) exit 90 ;; esac\nprintf "%s" "$line" | "${0%/*}/kept" "$@"\n'
  world.put('h/.belay/bin/belay-hook', text, 0o755)
}

const WEAKENED = [
  ['a hook is taken out', settings(hooks => delete hooks.PreToolUse)],
  ['the matcher is narrowed', settings(hooks => (hooks.PreToolUse[0].matcher = 'Write'))],
  ['the time limit is one second', settings(hooks => (hooks.PreToolUse[0].hooks[0].timeout = 1))],
  ['|| true stands behind the line', settings(hooks => (hooks.PreToolUse[0].hooks[0].command += ' || true'))],
  [
    'an old line with exec',
    world =>
      settings(
        hooks =>
          (hooks.PreToolUse[0].hooks[0].command = `exec '${world.shim}' --agent claude-code --event PreToolUse --deadline-ms 100000`),
      )(world),
  ],
]

const SECRETS = [
  'curl -b session=9f8e7d6c5b4a39281706f5e4d3c2b1a0 https://example.com',
  'curl https://api.telegram.org/bot123456789:AAFakeFakeFakeFakeFakeFakeFakeFake12/sendMessage',
  "echo 'client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcEFJQkFBS0NBUUVB'",
  'curl "https://example.com/?x=ghp%5F0123456789abcdefghijklmnopqrstuvwxyzAB"',
  "export TOKEN=ghp_0123456789abcdefghijklm'nopqrstuvwxyzAB'",
]
const TELLTALES = [
  '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  'AAFakeFakeFakeFakeFakeFakeFakeFake12',
  'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcEFJQkFBS0NBUUVB',
  '0123456789abcdefghijklmnopqrstuvwxyzAB',
  'nopqrstuvwxyzAB',
]

const APPROVED = { kind: 'approval_decided', body: { approval: 'apr_00000000', state: 'allowed' } }
const DISGUISES = ['\u202e', '\u001b]0;x\u0007', '\u200b', '\u009b2J']

export const RECORD = [
  ledger('a row added after the last checkpoint', db => forgeRow(db, APPROVED), 'any row is ours', { isShort: true }),
  ledger(
    'a trigger dropped',
    db => {
      for (const { name } of db.prepare(dropTrigger).all().slice(0, 1)) db.exec(`DROP TRIGGER ${name}`)
    },
    'any schema is ours',
    { isShort: true },
  ),
  ledger('a trigger added', db => db.exec('CREATE TRIGGER quiet AFTER INSERT ON ledger BEGIN SELECT 1; END'), 'any schema is ours'),
  ledger('an index added', db => db.exec('CREATE INDEX quiet ON ledger (kind)'), 'any schema is ours'),
  {
    item: 11,
    name: 'the database is removed',
    patch: 'any ledger is the same',
    moves: () => [hello, world => world.kill('SIGTERM'), world => ['', '-wal', '-shm'].map(end => world.remove(`h/.belay/belay.db${end}`))],
    won: world => {
      world.up()
      return world.entries().some(({ kind }) => kind === 'ledger_started_anew') ? null : 'no entry says so'
    },
    isRecorded: false,
    isShort: true,
  },
  {
    item: 11,
    name: 'the signing key is removed',
    patch: 'a new key says nothing',
    moves: () => [
      hello,
      world => world.kill('SIGTERM'),
      world =>
        world
          .list('h/.belay/keys')
          .filter(name => name.endsWith('.pem'))
          .map(name => world.remove(`h/.belay/keys/${name}`)),
    ],
    won: world => {
      world.up()
      return world.entries().some(({ kind, body }) => kind === 'key_rotated' && /lost/.test(body.reason)) ? null : 'no entry says so'
    },
    isRecorded: false,
  },
  ...WEAKENED.map(([name, change], at) => ({
    item: 12,
    name: `doctor: ${name}`,
    patch: name === 'a hook is taken out' ? 'doctor looks away from lost hooks' : 'doctor looks away from entries',
    moves: () => [hello, change],
    won: doctorIsFine,
    isRecorded: false,
    isShort: at < 2,
  })),
  {
    item: 12,
    name: 'doctor: the client is replaced',
    patch: 'doctor looks away from the client',
    moves: () => [hello, replaceClient],
    won: doctorIsFine,
    isRecorded: false,
    isShort: true,
  },
  {
    item: 12,
    name: 'doctor: the database is damaged',
    patch: 'doctor looks away from the database',
    moves: () => [hello, world => world.kill('SIGKILL'), world => world.damage('h/.belay/belay.db')],
    won: world => {
      doctorIsFine(world)
      return world.note.some(({ check }) => check === 'database') ? null : 'doctor says nothing of it'
    },
    isRecorded: false,
    isShort: true,
  },
  {
    item: 13,
    name: 'control and bidirectional characters reach a terminal',
    patch: 'characters reach the terminal',
    moves: () => DISGUISES.map(character => ({ command: `echo a${character}b` })),
    won: world => {
      const shown = [['ledger', 'tail'], ['ledger', 'query'], ['why'], ['fleet'], ['explain', '--', `echo ${DISGUISES.join('')}`]].map(
        args => world.terminal(args),
      )
      const found = DISGUISES.find(character => shown.some(text => text.includes(character)))
      return found === undefined ? null : `${JSON.stringify(found)} is shown`
    },
    isShort: true,
  },
  {
    item: 13,
    name: 'secrets of commands in the record',
    patch: 'secrets are text',
    moves: () => [
      ...SECRETS.map(command => ({ command: `: ${command}` })),
      // A plain yes goes out a moment before its record is on disk.
      world => world.recorded(SECRETS.length),
      world => world.kill('SIGKILL'),
      ...SECRETS.map(command => ({ command: `: ${command}` })),
    ],
    won: world => {
      const kept = world.grepHome(TELLTALES)
      return kept.length === 0 ? null : `kept: ${kept.join('; ')}`
    },
    isShort: true,
  },
]
