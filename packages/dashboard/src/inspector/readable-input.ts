// The input of a tool as text that can be compared line by line: a field a line, texts of several lines as they are.
import { jsonText } from '../part/json.tsx'

export function readableInput(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${jsonText(value)}\n`
  return Object.entries(value)
    .map(([name, field]) => writeField(name, field))
    .join('')
}

function writeField(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value)
  if (!text.includes('\n')) return `${name}: ${text}\n`
  const lines = text.replace(/\n$/, '').split('\n')
  return `${name}:\n${lines.map(line => `  ${line}\n`).join('')}`
}
