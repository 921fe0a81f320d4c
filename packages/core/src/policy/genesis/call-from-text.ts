// A tool call from one line of text, as people write it in examples and on the command line.
import { type ToolFamily, toolFamily } from '../../match/tool/tool-family.ts'
import type { ToolCall } from '../judgement.ts'

const MAIN_FIELD: Readonly<Record<ToolFamily, string>> = {
  shell: 'command',
  write: 'file_path',
  read: 'file_path',
  fetch: 'url',
  'web-search': 'query',
  task: 'subagent_type',
  skill: 'skill',
}

export function callFromText(tool: string, text: string): ToolCall {
  const family = toolFamily(tool)
  return { tool, input: { [family === null ? 'argument' : MAIN_FIELD[family]]: text } }
}
