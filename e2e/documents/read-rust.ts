// The examples in Rust, made into functions of this process by nothing but their words: each line of MEANINGS says what one way of Rust to say
// something is here. What is left of Rust after that does not parse, and the test of the example fails.

/** The names are those of `@belay/core`; a value that may be absent is null here. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/\.add_with_pattern\(/g, '.addWithPattern('],
  [/\|_?ctx\| async move \{/g, 'async ctx => {'],
  [/Arc::new\(\|ctx\| \{/g, '(ctx => {'],
  [/ctx\.tool_result/g, 'ctx.toolOutput'],
  [/\.as_ref\(\)\s*\.and_then\(\|v\| v\.get\("(\w+)"\)\)\s*\.and_then\(\|v\| v\.as_str\(\)\)\s*\.unwrap_or\(""\)/g, '?.["$1"] ?? ""'],
  [/let (\w+) = (\w+)\.get\("(\w+)"\)\.and_then\(\|v\| v\.as_str\(\)\);/g, 'const $1 = $2["$3"];'],
  [/if let Some\((\w+)\) = (\w+)\.get\("(\w+)"\)\.and_then\(\|v\| v\.as_str\(\)\) \{/g, 'const $1 = $2["$3"]; if ($1 != null) {'],
  [/if let Some\((?:ref mut )?(\w+)\) = &?([\w.]+) \{/g, 'const $1 = $2; if ($1 != null) {'],
  [/if ([^({][^{]*) \{/g, 'if ($1) {'],
  [/let (\w+) =/g, 'const $1 ='],
  [/json!\(format!\("([^"{}]*)\{\}", (\w+)\)\)/g, '"$1" + $2'],
  [/\.contains\(/g, '.includes('],
  [/ctx\.messages_mut\(\)\.retain\(\|(\w+)\| ([^;]*)\);/g, 'retain(ctx.messages, $1 => $2);'],
  [/tracing::info!\(\s*(\w+) = \?([\w.]+),\s*(\w+) = \?([\w.]+),\s*("[^"]*")\s*\);/g, 'info({ $1: $2, $3: $4 }, $5);'],
  [/"([^"]*)"\.to_string\(\)/g, '"$1"'],
  [/Some\("([^"]*)"\)/g, '"$1"'],
  // docs/semantics.md, section 2.
  [/HookResult::Reject \{\s*reason: ("[^"]*"),\s*\}/g, 'HookResult::deny($1)'],
  [/HookResult::Continue/g, 'HookResult::none()'],
  // What a block ends with is its value.
  [/^(\s*)HookResult::(\w+)(\(.*\))(\s*\/\/.*)?$/gm, '$1return HookResult.$2$3'],
  [/HookHandler::Inline \{/g, '{'],
  [/registry\.register\(HookDefinition \{/g, 'registry.register({'],
  [/\s*\.\.Default::default\(\)\n/g, '\n'],
  [/::/g, '.'],
  [/\}\)\?;/g, '});'],
]

/** `names`: what the example may speak of. */
export function runRust(text: string, names: Readonly<Record<string, unknown>>): void {
  const made = MEANINGS.reduce((so, [words, meaning]) => so.replace(words, meaning), text).replace(/ctx\.tool_(\w)/g, (_, letter) => {
    return `ctx.tool${String(letter).toUpperCase()}`
  })
  new Function(...Object.keys(names), made)(...Object.values(names))
}

/** Fields of a structure, variants of an enumeration, functions of what is implemented for it. */
export function readRustNames(text: string, kind: 'struct' | 'enum' | 'impl', name: string): readonly string[] {
  const body = new RegExp(`${kind}(?:<[^>]*>)? ${name}(?:<[^>]*>)? \\{\\n([\\s\\S]*?)\\n\\}`).exec(text)?.[1]
  if (body === undefined) throw new Error(`there is no ${kind} ${name}`)
  const words = { struct: /^ {4}(?:pub )?(?:r#)?(\w+):/gm, enum: /^ {4}([A-Z]\w*)/gm, impl: /^ {4}pub (?:async )?fn (\w+)/gm }[kind]
  return [...body.matchAll(words)].map(([, each = '']) => each)
}

/** `tool_name` -> `toolName`. */
export function toCamel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter) => String(letter).toUpperCase())
}

/** `NonBlockingError` -> `non_blocking_error`. */
export function toSnake(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase()
}
