// An entry as one line of JSON for those who watch, with its body as it stands in the ledger: nothing is parsed to be shown.
import type { Entry } from '@belay/core/ledger'

export function formatEntry({ body, bodyHash: _bodyHash, prev: _prev, salt: _salt, ...columns }: Entry): string {
  return `${JSON.stringify(columns).slice(0, -1)},"body":${body}}`
}
