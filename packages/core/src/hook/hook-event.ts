// One occurrence of an event, as the engine sees it: envelope in camelCase, the agent's own values untouched.

export interface HookEvent {
  /** Canonical name where there is one (`PreToolUse`), else the agent's own. */
  readonly name: string
  readonly sessionId: string
  readonly cwd: string
  readonly transcriptPath: string | null
  readonly permissionMode: string | null
  /** Identity (semantics 0): never taken from what the model wrote. */
  readonly actor: string
  readonly agent: string
  readonly commitment: string | null
  /** Every other field of the payload, envelope names in camelCase (toolName, toolInput, toolUseId, prompt, source ...). */
  readonly fields: Readonly<Record<string, unknown>>
  /** Variables of the hook process that command hooks may see (`CLAUDE_PROJECT_DIR` ...). */
  readonly env: Readonly<Record<string, string>>
}
