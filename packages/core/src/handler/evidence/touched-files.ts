// Which files a call writes, by the path its tool names. Of a shell command: shell-writes.ts.

import { resolve } from 'node:path'
import type { HookEvent } from '../../hook/hook-event.ts'
import { toolFamily } from '../../match/tool/tool-family.ts'
import { toolFields } from '../../match/tool/tool-fields.ts'
import { isObject } from '../../value/is-object.ts'

const MAX_FILES = 100

export function touchedFiles({ fields, cwd }: HookEvent): readonly string[] {
  const { toolName, toolInput } = fields
  if (typeof toolName !== 'string' || toolFamily(toolName) !== 'write' || !isObject(toolInput)) return []
  const written = toolFields(toolName, toolInput).fields.filter(field => field.kind === 'path' && field.access === 'write')
  return [...new Set(written.map(field => resolve(cwd, field.text)))].slice(0, MAX_FILES)
}
