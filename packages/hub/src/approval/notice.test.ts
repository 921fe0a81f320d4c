import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { NoticeFormat } from '../config/hub-config.ts'
import { type Notice, writeNotice } from './notice.ts'

const LINK = 'https://hub.example/approvals/m1/apr_1'
const UNTIL = '2030-01-02T03:04:05.000Z'
const NOTICE: Notice = {
  machine: 'm1',
  machineName: 'lab-1',
  id: 'apr_1',
  facts: { actor: 'agent:codex', tool: 'Bash', input: { command: 'deploy now' }, reason: 'ask Bash(deploy *)' },
  expiresAt: new Date(UNTIL),
}
const TEXT = `agent:codex Bash: deploy now\nask Bash(deploy *)\nuntil ${UNTIL}`

function write(format: NoticeFormat, { link = LINK as string | null, notice = NOTICE } = {}) {
  const { body, headers } = writeNotice(format, notice, { link, secret: null })
  return { headers, body: headers['content-type'] === 'application/json' ? JSON.parse(body) : body }
}

const run = (text: string, more = {}) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...more }] })
const JSON_TYPE = { 'content-type': 'application/json' }

test.each<[NoticeFormat, ReturnType<typeof write>]>([
  [
    'belay',
    {
      headers: JSON_TYPE,
      body: {
        type: 'approval.requested',
        title: 'An agent waits on lab-1',
        text: TEXT,
        link: LINK,
        approval: { machine: 'm1', machineName: 'lab-1', id: 'apr_1', facts: NOTICE.facts, expiresAt: UNTIL },
      },
    },
  ],
  [
    'slack',
    {
      headers: JSON_TYPE,
      body: {
        text: 'An agent waits on lab-1',
        blocks: [{ type: 'section', text: { type: 'mrkdwn', text: `*An agent waits on lab-1*\n${TEXT}\n<${LINK}|Decide>` } }],
      },
    },
  ],
  [
    'teams',
    {
      headers: JSON_TYPE,
      body: {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [run('An agent waits on lab-1', { weight: 'Bolder' }), ...TEXT.split('\n').map(line => run(line))],
              actions: [{ type: 'Action.OpenUrl', title: 'Decide', url: LINK }],
            },
          },
        ],
      },
    },
  ],
  ['ntfy', { headers: { 'content-type': 'text/plain', title: 'An agent waits on lab-1', click: LINK }, body: TEXT }],
  ['mail', { headers: JSON_TYPE, body: { subject: 'An agent waits on lab-1', text: `${TEXT}\n\n${LINK}` } }],
])('a notice for %s', (format, expected) => {
  expect(write(format)).toEqual(expected)
})

const FORMATS: readonly NoticeFormat[] = ['belay', 'slack', 'teams', 'ntfy', 'mail']

test.each(FORMATS)('for %s without a page there is no link', format => {
  expect(JSON.stringify(write(format, { link: null }))).not.toContain('hub.example')
})

test.each(FORMATS)('the code in the header is over just this body, for %s', format => {
  const { body, headers } = writeNotice(format, NOTICE, { link: LINK, secret: 's3' })
  const [, seconds, code] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['belay-signature'] ?? '') ?? []
  expect(code).toBe(createHmac('sha256', 's3').update(`${seconds}.${body}`).digest('hex'))
})

describe('what an agent wrote steers nobody who reads it', () => {
  const command = (text: string): Notice => ({ ...NOTICE, facts: { ...NOTICE.facts, input: { command: text } } })

  test('a link of its own, a mention of everybody, in the words of Slack', () => {
    const { body } = write('slack', { notice: command('x <https://evil.example|Decide> <!channel>') })
    expect(body.blocks[0].text.text).toContain('x &lt;https://evil.example|Decide&gt; &lt;!channel&gt;')
  })

  test('Markdown stands in no part of a card that reads it', () => {
    const { body } = write('teams', { notice: command('[Decide](https://evil.example)') })
    const { body: blocks, actions } = body.attachments[0].content
    expect(blocks.map(({ type }: { type: string }) => type)).toEqual(Array(4).fill('RichTextBlock'))
    expect(actions).toHaveLength(1)
  })

  test.each(FORMATS)('line ends, signs that turn text around and escapes are blanks, for %s', format => {
    const notice = { ...command('a\r\nuntil tomorrow\u202e\u001b[2Jb'), machineName: 'lab\r\nclick: https://evil.example' }
    const { body, headers } = write(format, { notice: { ...notice, facts: { ...notice.facts, reason: 'r\u2028s' } } })
    const shown = format === 'belay' ? { title: body.title, text: body.text } : body
    expect(JSON.stringify(shown)).not.toMatch(/\\r|\\u202e|\\u001b|\u202e|\u2028|\nclick/)
    expect(Object.keys(headers)).toEqual(Object.keys(write(format).headers))
    expect(headers.title ?? '').not.toMatch(/[\r\n]/)
  })

  test('a title beyond Latin is a header all the same', () => {
    expect(write('ntfy', { notice: { ...NOTICE, machineName: 'büro-日本' } }).headers.title).toMatch(/^=\?UTF-8\?B\?[\w+/=]+\?=$/)
  })

  test('a long command is cut', () => {
    expect(write('mail', { notice: command('x'.repeat(10_000)) }).body.text.length).toBeLessThan(800)
  })
})
