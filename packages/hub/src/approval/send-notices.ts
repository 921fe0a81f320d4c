// Sends a notice for each request that waits, once, whichever process is first; tried again a few times where nobody takes it.
import { errorText } from '@belay/core/value'
import { sql } from 'kysely'
import type { HubConfig } from '../config/hub-config.ts'
import type { Database } from '../database/open-database.ts'
import { type Notice, writeNotice } from './notice.ts'

export interface NoticeOptions {
  readonly db: Database
  readonly config: Pick<HubConfig, 'noticeUrl' | 'noticeFormat' | 'noticeSecret' | 'publicUrl'>
  log(line: string): void
}

const LOOK_MS = 500
const ANSWER_MS = 10_000
const MAX_TRIES = 5

export function sendNotices({ db, config, log }: NoticeOptions): { stop(): Promise<void> } {
  const { noticeUrl } = config
  if (noticeUrl === null) return { stop: async () => undefined }
  let isBusy = false
  let sending: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    sending = sendAll()
      .catch(error => log(`notices wait: ${errorText(error)}`))
      .finally(() => {
        isBusy = false
      })
  }, LOOK_MS).unref()

  async function sendAll(): Promise<void> {
    for (const notice of await claim(db)) {
      const problem = await send(noticeUrl ?? '', notice)
      if (problem !== undefined) log(`a notice about ${notice.id} was not taken: ${problem}`)
      else
        await db
          .updateTable('approval')
          .set({ noticed_at: new Date() })
          .where('machine', '=', notice.machine)
          .where('id', '=', notice.id)
          .execute()
    }
  }

  async function send(url: string, notice: Notice): Promise<string | undefined> {
    const link = config.publicUrl === null ? null : new URL(`/approvals/${notice.machine}/${notice.id}`, config.publicUrl).href
    const { body, headers } = writeNotice(config.noticeFormat, notice, { link, secret: config.noticeSecret })
    try {
      const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) })
      await answer.body?.cancel()
      return answer.ok ? undefined : `it answered ${answer.status}`
    } catch (error) {
      return errorText(error)
    }
  }
  return {
    stop: () => {
      clearInterval(timer)
      return sending
    },
  }
}

/** Each is one process's for a while. */
async function claim(db: Database): Promise<readonly Notice[]> {
  const { rows } = await sql<{ machine: string; name: string; id: string; facts: Record<string, unknown>; expires_at: Date }>`
    UPDATE approval a SET notice_tries = a.notice_tries + 1, notice_at = now() + a.notice_tries * interval '20 seconds' + interval '20 seconds'
    FROM machine m
    WHERE m.id = a.machine AND (a.machine, a.id) IN (
      SELECT machine, id FROM approval
      WHERE state = 'pending' AND noticed_at IS NULL AND expires_at > now() AND notice_at <= now() AND notice_tries < ${MAX_TRIES}
      ORDER BY asked_at LIMIT 20 FOR UPDATE SKIP LOCKED)
    RETURNING a.machine, m.name, a.id, a.facts, a.expires_at`.execute(db)
  return rows.map(({ machine, name, id, facts, expires_at }) => ({ machine, machineName: name, id, facts, expiresAt: expires_at }))
}
