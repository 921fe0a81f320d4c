// What people are told when an agent waits: the redacted summary and a link, in the words of the service that carries it. Nothing can be
// decided from a notice: that needs a login.
import { createHmac } from 'node:crypto'
import type { NoticeFormat } from '../config/hub-config.ts'

export interface Notice {
  readonly machine: string
  readonly machineName: string
  readonly id: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly expiresAt: Date
}

export interface NoticeCall {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const MAX_TEXT = 500

export function writeNotice(
  format: NoticeFormat,
  notice: Notice,
  { link, secret }: { link: string | null; secret: string | null },
): NoticeCall {
  const { machineName, facts, expiresAt, id, machine } = notice
  const title = `An agent waits on ${clean(machineName)}`
  const what = `${clean(facts.actor)} ${clean(facts.tool)}: ${clean(summaryOf(facts.input))}`
  const lines = [what, clean(facts.reason), `until ${expiresAt.toISOString()}`]
  const made = writeBody(format, { title, lines, link, more: { machine, machineName, id, facts, expiresAt } })
  const seconds = Math.floor(Date.now() / 1000)
  const code = secret === null ? null : createHmac('sha256', secret).update(`${seconds}.${made.body}`).digest('hex')
  return { body: made.body, headers: { ...made.headers, ...(code !== null && { 'belay-signature': `t=${seconds},v1=${code}` }) } }
}

interface Parts {
  readonly title: string
  readonly lines: readonly string[]
  readonly link: string | null
  readonly more: Readonly<Record<string, unknown>>
}

function writeBody(format: NoticeFormat, { title, lines, link, more }: Parts): NoticeCall {
  const text = lines.join('\n')
  const json = { 'content-type': 'application/json' }
  switch (format) {
    case 'belay':
      return { body: JSON.stringify({ type: 'approval.requested', title, text, link, approval: more }), headers: json }
    case 'slack': {
      const shown = escapeSlack(`*${title}*\n${text}`) + (link === null ? '' : `\n<${link}|Decide>`)
      return { body: JSON.stringify({ text: title, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: shown } }] }), headers: json }
    }
    case 'teams': {
      // A TextBlock reads Markdown: a command could bring a link of its own that says "Decide".
      const body = [title, ...lines].map((line, at) => ({
        type: 'RichTextBlock',
        inlines: [{ type: 'TextRun', text: line, ...(at === 0 && { weight: 'Bolder' }) }],
      }))
      const actions = link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Decide', url: link }]
      const content = { $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.4', body, actions }
      const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }]
      return { body: JSON.stringify({ type: 'message', attachments }), headers: json }
    }
    case 'ntfy':
      return { body: text, headers: { 'content-type': 'text/plain', title: encodeHeader(title), ...(link !== null && { click: link }) } }
    case 'mail':
      return { body: JSON.stringify({ subject: title, text: link === null ? text : `${text}\n\n${link}` }), headers: json }
  }
}

/** The command where there is one: what people know a call by. */
function summaryOf(input: unknown): string {
  const fields = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
  const first = fields.command ?? fields.file_path ?? fields.url
  return typeof first === 'string' ? first : JSON.stringify(fields)
}

/** One line, nothing that steers a terminal or a reader. */
function clean(value: unknown): string {
  const text = String(value ?? '').replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Headers hold Latin only: RFC 2047. */
function encodeHeader(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
}
