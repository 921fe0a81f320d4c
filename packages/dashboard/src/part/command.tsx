// A command drawn as the units it was judged by: each underlined in its verdict's colour, its rule on hover or focus.
import type { RecordPart } from '#page/record.ts'
import { cutUnits } from './cut-units.ts'
import { plainText } from './plain-text.ts'
import { Text } from './text.tsx'
import { TONES } from './tone.ts'

const LONGEST = 20_000

export function Command({ command, parts }: { readonly command: string; readonly parts: readonly RecordPart[] }) {
  return (
    <div className="mono whitespace-pre-wrap wrap-anywhere leading-6">
      {command.length > LONGEST ? (
        <Text text={command} />
      ) : (
        cutUnits(command, parts).map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one command never move
          <Unit key={index} text={piece.text} part={piece.part} />
        ))
      )}
    </div>
  )
}

function Unit({ text, part }: { readonly text: string; readonly part: RecordPart | null }) {
  if (part === null) return <span className="text-faint">{plainText(text)}</span>
  const said = [`${part.decision}:`, part.rule, plainText(part.reason, 300)].filter(text => text !== null).join(' ')
  return (
    <button type="button" title={said} className={`cursor-help border-b-2 text-left ${TONES[part.decision].line}`}>
      {plainText(text)}
      <span className="sr-only"> ({said})</span>
    </button>
  )
}
