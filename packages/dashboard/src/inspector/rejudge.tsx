// The same call under the policy of now. On the record, from which secrets were taken out: said with every answer.
import type { RecordDetail, Rejudged } from '#page/record.ts'
import { useAct } from '../daemon/use-verb.ts'
import { Button } from '../part/button.tsx'
import { Command } from '../part/command.tsx'
import { Icon } from '../part/icon.tsx'
import { plainLine, plainText } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'

export function Rejudge({ detail }: { readonly detail: RecordDetail }) {
  const judge = useAct('page.rejudge')
  if (detail.row.tool === null) return null
  return (
    <Section
      title="Judge again with the current policy"
      aside={
        <Button onClick={() => judge.mutate({ seq: detail.row.seq })} disabled={judge.isPending}>
          Judge again
        </Button>
      }
    >
      {judge.error !== null && <Problem error={judge.error} />}
      {judge.data !== undefined && <Result again={judge.data} command={detail.command} />}
    </Section>
  )
}

function Result({ again, command }: { readonly again: Rejudged; readonly command: string | null }) {
  return (
    <div role="status" className="flex flex-col gap-1 rounded border border-dashed px-2.5 py-1.5">
      <p className="flex flex-wrap items-center gap-1.5">
        <VerdictMark verdict={again.before} />
        <Icon name="right" size={13} />
        <span className="sr-only">now</span>
        <VerdictMark verdict={again.now} />
        <span className="text-quiet">{again.before === again.now ? 'the same' : 'it would come out differently now'}</span>
      </p>
      {command !== null && again.parts.length > 0 && <Command command={command} parts={again.parts} />}
      <p className="text-small wrap-anywhere">
        {plainText(again.reason, 400)}
        {again.place !== null && <span className="mono text-faint"> {plainLine(again.place)}</span>}
      </p>
      <p className={`text-small ${again.isRedacted ? 'text-ask' : 'text-faint'}`}>
        Judged on the redacted record; no hook was run.{again.isRedacted && ' A secret that was taken out may have mattered.'}
      </p>
    </div>
  )
}
