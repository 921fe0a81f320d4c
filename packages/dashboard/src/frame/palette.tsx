// Everything in reach of a few letters: pages, agents, recent events, commands.
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Frame } from '#page/overview.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Dialog } from '../part/dialog.tsx'
import { plainLine } from '../part/plain-text.ts'
import { findEntries, type PaletteEntry } from './find-entries.ts'
import { PAGE_WORDS } from './rail.tsx'
import { setTheme } from './theme.ts'
import { go, PAGES, setParam } from './url.ts'

const NOTHING = {}
const RECENT = { limit: 100 }

export interface PaletteProps {
  readonly frame: Frame | undefined
  readonly onHelp: () => void
  readonly onClose: () => void
}

export function Palette({ frame, onHelp, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const listId = useId()
  const all = useEntries(frame, onHelp)
  const found = useMemo(() => findEntries(all, typed), [all, typed])
  const at = Math.min(chosen, found.length - 1)
  function choose(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  function press(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') choose(found[at])
    if (step !== 0) setChosen(Math.min(found.length - 1, Math.max(0, at + step)))
    if (step !== 0 || event.key === 'Enter') event.preventDefault()
  }
  return (
    <Dialog title="Search and commands" onClose={onClose} bare>
      <input
        type="text"
        role="combobox"
        aria-label="Search pages, agents, events and commands"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[at] === undefined ? undefined : `${listId}-${at}`}
        placeholder="Go to a page, an agent, an event; or type a command"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setChosen(0)
        }}
        onKeyDown={press}
        className="h-11 w-full rounded-t-lg border-b bg-surface px-4 outline-none"
      />
      <div id={listId} role="listbox" aria-label="Found" className="thin-scroll max-h-[50vh] overflow-y-auto py-1">
        {found.map((entry, index) => (
          <EntryLine key={entry.key} id={`${listId}-${index}`} entry={entry} isChosen={index === at} onChoose={() => choose(entry)} />
        ))}
      </div>
      {found.length === 0 && <NothingFound />}
    </Dialog>
  )
}

interface EntryLineProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function EntryLine({ id, entry, isChosen, onChoose }: EntryLineProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    <div
      ref={ref}
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={onChoose}
      className={`flex h-8 cursor-pointer items-center gap-3 px-4 ${isChosen ? 'bg-chosen' : 'hover:bg-hover'}`}
    >
      <span className="w-20 shrink-0 text-faint text-small">{entry.group}</span>
      <span className="min-w-0 truncate">{entry.text}</span>
      {entry.hint !== undefined && <span className="mono ml-auto max-w-[50%] truncate text-faint">{entry.hint}</span>}
    </div>
  )
}

function useEntries(frame: Frame | undefined, onHelp: () => void): readonly PaletteEntry[] {
  const agents = useVerb('fleet.list', NOTHING).data
  const recent = useVerb('page.records', RECENT).data
  return useMemo(
    () => [
      ...PAGES.map(page => entry('Pages', PAGE_WORDS[page].name, `g ${PAGE_WORDS[page].key}`, () => go(page))),
      ...(agents ?? []).map(({ agent, label, status, kind }) => ({
        ...entry('Agents', plainLine(label ?? agent, 80), plainLine(`${status} ${kind ?? ''}`, 60), () => go('fleet', { id: agent })),
        key: `Agents ${agent}`,
      })),
      ...commands(frame, onHelp),
      ...(recent?.rows ?? []).map(row =>
        entry('Events', plainLine(`${row.seq} ${row.verdict} ${row.tool ?? row.event ?? row.kind}`, 80), plainLine(row.summary, 100), () =>
          setParam('event', String(row.seq)),
        ),
      ),
    ],
    [agents, recent, frame, onHelp],
  )
}

function commands(frame: Frame | undefined, onHelp: () => void): readonly PaletteEntry[] {
  const root = frame?.policy?.root
  return [
    entry('Commands', 'Show what was denied', undefined, () => go('live', { params: { verdict: 'deny' } })),
    entry('Commands', 'Show what was asked', undefined, () => go('live', { params: { verdict: 'ask' } })),
    entry('Commands', 'Try a call in the playground', undefined, () => go('policy', root === undefined ? {} : { params: { root } })),
    entry('Commands', 'Keyboard help', '?', onHelp),
    entry('Commands', 'Light colours', undefined, () => setTheme('light')),
    entry('Commands', 'Dark colours', undefined, () => setTheme('dark')),
    entry('Commands', "The system's colours", undefined, () => setTheme('system')),
  ]
}

function entry(group: PaletteEntry['group'], text: string, hint: string | undefined, run: () => void): PaletteEntry {
  return { key: `${group} ${text}`, group, text, ...(hint === undefined ? {} : { hint }), run }
}

function NothingFound() {
  return (
    <p role="status" className="px-4 pb-3 text-faint">
      Nothing here. The ledger page searches everything that was recorded.
    </p>
  )
}
