// A file of an effort, as text.
import { useVerb } from '../daemon/use-verb.ts'
import { Dialog } from '../part/dialog.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { CodeBlock } from '../part/text.tsx'

export interface ArtifactDialogProps {
  readonly effort: number
  readonly path: string
  readonly onClose: () => void
}

export function ArtifactDialog({ effort, path, onClose }: ArtifactDialogProps) {
  const found = useVerb('page.artifact', { effort, path })
  return (
    <Dialog title={plainLine(path, 120)} onClose={onClose} wide>
      <div className="p-4">
        {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
        {found.isPending && <Loading />}
        {found.data !== undefined && !found.isPlaceholderData && (
          <>
            <CodeBlock text={found.data.text} label={plainLine(path, 120)} />
            {found.data.isCut && <p className="pt-2 text-quiet text-small">Only its beginning is shown; the file has the rest.</p>}
          </>
        )}
      </div>
    </Dialog>
  )
}
