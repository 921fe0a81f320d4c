// What the daemon would load only when it is first needed, loaded soon after it started. It runs for weeks, and an update replaces its files
// meanwhile: a hook of then must not fail because its runner is gone.
import { loadRunners } from '@belay/core'
import { errorText } from '@belay/core/value'
import { loadSchemaCompiler } from '../guardrail/compile-schema.ts'
import type { LogLine } from '../terminal/log-line.ts'

/** First come the calls that wait for the daemon. */
const DELAY_MS = 1000

const REST: readonly (() => Promise<unknown>)[] = [
  loadRunners,
  loadSchemaCompiler,
  () => import('../dashboard/page/page-methods.ts'),
  () => import('../dashboard/page/export-entries.ts'),
]

export function loadRestSoon(log: (line: LogLine) => void, stopped: Promise<unknown>): void {
  const load = async (): Promise<void> => {
    for (const part of REST) {
      await part()
      // Between two parts, whoever calls is answered.
      await new Promise(resolve => setImmediate(resolve))
    }
    log({ level: 'info', message: 'everything is loaded' })
  }
  const onFailure = (error: unknown): void => log({ level: 'error', message: 'a part of Belay cannot be loaded', error: errorText(error) })
  const timer = setTimeout(() => void load().catch(onFailure), DELAY_MS).unref()
  const cancel = (): void => clearTimeout(timer)
  stopped.then(cancel, cancel)
}
