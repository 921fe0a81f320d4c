// Which files a shell command would write, as far as its text and the names on this disk say: redirections, `sed -i`, `mv`, `rm`, `src/*.ts`.
// Other programs may write more (a build, a script): what nobody can name beforehand is not looked at.
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { HookEvent } from '../../hook/hook-event.ts'
import { expandGlob } from '../../match/path/expand-glob.ts'
import { createFileView } from '../../match/path/node-file-view.ts'
import { wordSegments } from '../../match/path/word-segments.ts'
import { analyzeCommand } from '../../match/shell/analyze-command.ts'
import type { FileEffect } from '../../match/shell/shell-analysis.ts'
import { toolFamily } from '../../match/tool/tool-family.ts'
import { toolFields } from '../../match/tool/tool-fields.ts'
import { isObject } from '../../value/is-object.ts'

const MAX_FILES = 100

/** Absolute, each once. */
export function shellWrites({ fields: { toolName, toolInput }, cwd, delivery }: HookEvent): readonly string[] {
  if (typeof toolName !== 'string' || toolFamily(toolName) !== 'shell' || !isObject(toolInput)) return []
  const { fields, directory } = toolFields(toolName, toolInput)
  const context = { cwd: resolve(cwd, directory ?? '.'), root: delivery?.root ?? cwd, home: homedir() }
  const { names } = createFileView()
  const written = fields
    .filter(field => field.kind === 'command')
    .flatMap(({ text }) => analyzeCommand(text, context).effects)
    .filter(({ access, role }) => access === 'write' && role !== 'guess')
    .flatMap(effect => pathsOf(effect, names))
  return [...new Set(written)].slice(0, MAX_FILES)
}

function pathsOf({ path, base }: FileEffect, names: ReturnType<typeof createFileView>['names']): readonly string[] {
  const { segments, isPlaced, hasUnknown } = wordSegments(path, { base, caseInsensitive: false, yieldsHidden: false })
  if (!isPlaced || hasUnknown) return []
  return (expandGlob(segments, names) ?? []).map(found => found.path)
}
