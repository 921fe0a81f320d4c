// snake_case exists only at the edge; these two turn names, never values.

/** `toolName` and `PreToolUse` become `tool_name` and `pre_tool_use`. */
export function toSnakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase()
}
