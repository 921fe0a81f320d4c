// Everything that matches as a file, in both formats of `belay ledger export`.
import { useState } from 'react'
import type { RecordFilter } from '#page/record.ts'
import { Button } from '../part/button.tsx'
import { plainLine } from '../part/plain-text.ts'
import { saveFrom } from './save-file.ts'
import { exportAddress } from './search.ts'

const FORMATS = ['jsonl', 'csv'] as const

export function ExportButtons({ filter }: { readonly filter: RecordFilter }) {
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  async function save(format: (typeof FORMATS)[number]): Promise<void> {
    setBusy(format)
    setProblem(null)
    try {
      await saveFrom(exportAddress(format, filter), `belay-ledger.${format}`)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(null)
  }
  return (
    <div className="flex items-center gap-1">
      <span className="hidden text-faint text-small sm:inline">Export</span>
      {FORMATS.map(format => (
        <Button key={format} disabled={busy !== null} onClick={() => void save(format)} aria-label={`Export as ${format.toUpperCase()}`}>
          {busy === format ? '…' : format.toUpperCase()}
        </Button>
      ))}
      {problem !== null && (
        <span role="alert" className="text-deny text-small">
          {plainLine(problem, 200)}
        </span>
      )}
    </div>
  )
}
