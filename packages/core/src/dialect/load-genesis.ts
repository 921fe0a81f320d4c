// genesis.key: the policy parser decides. A policy is taken or refused as a whole, so one error makes every hook of the file inert.
import { parseGenesis } from '../policy/genesis/parse-genesis.ts'
import type { LoadedConfig, LoadedHook } from './loaded-config.ts'
import type { ParsedText } from './parse-text.ts'

export function loadGenesis(parsed: ParsedText, counted: LoadedConfig, path = ''): LoadedConfig {
  if (parsed.parse === 'invalid') return counted
  const result = parseGenesis(parsed.text, path)
  const problems = result.ok ? result.warnings : [...result.errors, ...result.warnings]
  const definitions = new Map(result.ok ? result.policy.hooks.map(hook => [`${hook.place?.line}:${hook.place?.column}`, hook]) : [])
  const hooks = counted.hooks.map((hook): LoadedHook => {
    const { event, shape, type, text, matcher, scope, place, extra } = hook
    const entry = { event, shape, type, text, matcher, scope, place, extra, ...(hook.name === undefined ? {} : { name: hook.name }) }
    const definition = definitions.get(`${place.line}:${place.column}`)
    if (definition !== undefined) return { ...entry, canonicalEvent: definition.event, state: 'active', definition }
    const why = result.ok ? 'the policy has no such hook' : 'the policy has errors and is refused as a whole'
    return { ...entry, canonicalEvent: event, state: 'inert', why }
  })
  return { ...counted, hooks, diagnostics: problems }
}
