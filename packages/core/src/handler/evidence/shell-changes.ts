// What a shell command changed of the files that its text names: those that are not as they were before it ran.
import type { BegunCall } from './begun-calls.ts'
import { type CompareTexts, describeChange, type FileChange } from './describe-change.ts'
import { MAX_TEXT_BYTES, readFileImage } from './file-image.ts'

const CHANGED: ReadonlySet<FileChange['change']> = new Set(['created', 'modified', 'deleted'])

export async function shellChanges(images: BegunCall['images'], root: string, compare: CompareTexts): Promise<readonly FileChange[]> {
  const all = await Promise.all(
    [...images].map(async ([path, before]) =>
      describeChange(path, root, { before, after: await readFileImage(path, MAX_TEXT_BYTES) }, compare),
    ),
  )
  return all.filter(({ change }) => CHANGED.has(change))
}
