// The evidence of one finished call: who, under which commitment, by which hook, with which tool and input, how it ended, what it changed.
import {
  type BegunCall,
  type CapturedEvidence,
  describeChange,
  type FileChange,
  type FileImage,
  type HookEvent,
  imageOfText,
  readFileImage,
  shellChanges,
  touchedFiles,
} from '@belay/core'
import type { EntryDraft } from '@belay/core/ledger'
import { toolFamily } from '@belay/core/match'
import { compareTexts } from './compare-texts.ts'
import { describeResult } from './describe-result.ts'
import { draftEvidence } from './draft-evidence.ts'

export async function captureEvidence(evidence: CapturedEvidence, { images, tookMs }: BegunCall): Promise<EntryDraft> {
  const { event, kind, hook } = evidence
  const { toolInput } = event.fields
  // The agent's own account of how long it took goes first.
  const { exitCode, durationMs = tookMs, ...result } = describeResult(event)
  const command = commandOf(event)
  const root = event.delivery?.root ?? event.cwd
  const files = command === null ? await describeFiles(event, images, root) : await shellChanges(images, root, compareTexts)
  return draftEvidence(
    event,
    kind,
    { hook: hook.name, scope: hook.scope, place: hook.place },
    {
      input: toolInput ?? null,
      ...result,
      durationMs,
      ...(command === null ? {} : { command, exitCode: exitCode ?? null }),
      ...(files.length === 0 ? {} : { files }),
    },
  )
}

function commandOf({ fields }: HookEvent): string | null {
  const { toolName, toolInput } = fields
  if (typeof toolName !== 'string' || toolFamily(toolName) !== 'shell') return null
  const command = (toolInput as Readonly<Record<string, unknown>> | undefined)?.command
  return typeof command === 'string' ? command : null
}

async function describeFiles(event: HookEvent, kept: BegunCall['images'], root: string): Promise<readonly FileChange[]> {
  const paths = touchedFiles(event)
  const own = paths.length === 1 ? originalOf(event) : undefined
  const changes = await Promise.all(
    paths.map(async path => {
      const before = chooseBefore(own, kept.get(path))
      return describeChange(path, root, { before, after: await readFileImage(path) }, compareTexts)
    }),
  )
  const patch = paths.length === 1 ? patchOf(event) : null
  return patch === null
    ? changes
    : changes.map(change => (change.before === null && change.change === 'unknown' ? { ...change, diff: patch } : change))
}

/** The agent's is of the very moment of the edit; but where it only spells line ends otherwise, ours has the bytes that were there. */
function chooseBefore(own: FileImage | undefined, seen: FileImage | undefined): FileImage | undefined {
  if (own === undefined || seen === undefined || own.text === null || seen.text === null) return own ?? seen
  return plainText(own.text) === plainText(seen.text) ? seen : own
}

function plainText(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
}

const MAX_PATCH_CHARACTERS = 64 * 1024

/** Claude's own diff, for a file that nobody saw before the call. */
function patchOf({ fields }: HookEvent): string | null {
  const response = fields.toolResponse
  if (typeof response !== 'object' || response === null || !('structuredPatch' in response)) return null
  const { structuredPatch: hunks } = response
  const lines = Array.isArray(hunks) ? hunks.flatMap(linesOfHunk) : []
  return lines.length === 0 ? null : lines.join('\n').slice(0, MAX_PATCH_CHARACTERS)
}

function linesOfHunk(hunk: unknown): readonly string[] {
  if (typeof hunk !== 'object' || hunk === null || !('lines' in hunk) || !Array.isArray(hunk.lines)) return []
  const { oldStart, oldLines, newStart, newLines, lines } = hunk as Readonly<Record<string, unknown>> & {
    readonly lines: readonly unknown[]
  }
  return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines.map(String)]
}

/** Claude tells what the file held at the very moment of the edit; null: the file is new. */
function originalOf({ fields }: HookEvent): FileImage | undefined {
  const response = fields.toolResponse
  if (typeof response !== 'object' || response === null || !('originalFile' in response)) return undefined
  const { originalFile } = response
  return typeof originalFile === 'string' || originalFile === null ? imageOfText(originalFile) : undefined
}
