// belay directive list | discover: files with rules for a directory.
import type { CommandIo, ExitCode } from '../terminal/io.ts'
import { runVerb } from './state-call.ts'

export function runDirectiveList(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<{ delivered: readonly string[]; here: readonly string[] }>(io, {
    method: 'directive.list',
    json: options.json,
    render: ({ delivered, here }) =>
      [...here.map(file => `here       ${file}`), ...delivered.map(file => `delivered  ${file}`)].join('\n') || 'no directives here',
  })
}

export function runDirectiveDiscover(path: string, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<{ files: readonly string[] }>(io, {
    method: 'directive.discover',
    params: { path },
    json: options.json,
    render: ({ files }) => files.join('\n') || `nothing holds for ${path}`,
  })
}
