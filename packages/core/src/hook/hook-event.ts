// One occurrence of an event, as the engine sees it: envelope in camelCase, the agent's own values untouched.

export interface HookEvent {
  /** Canonical name where there is one (`PreToolUse`), else the agent's own. */
  readonly name: string
  readonly sessionId: string
  readonly cwd: string
  readonly transcriptPath: string | null
  readonly permissionMode: string | null
  /** Never taken from what the model wrote, nor from the environment alone. */
  readonly actor: string
  /** Names that merely stand in the environment: the call is judged under each of them too, and the strictest verdict holds. */
  readonly alsoAs?: readonly string[]
  readonly agent: string
  readonly commitment: string | null
  /** Every other field of the payload, envelope names in camelCase (toolName, toolInput, toolUseId, prompt, source ...). */
  readonly fields: Readonly<Record<string, unknown>>
  /** Variables of the hook process that command hooks may see (`CLAUDE_PROJECT_DIR` ...). */
  readonly env: Readonly<Record<string, string>>
  /** How it reached the daemon, and whose policy holds; absent in process. One object per delivery. */
  readonly delivery?: Delivery
}

export interface Delivery {
  /** AGENT_ID, else one made from the agent and its session. */
  readonly agentId: string
  /** The same event delivered twice has the same id; null: every delivery is new. */
  readonly eventId: string | null
  /** The project whose policy the session is under. */
  readonly root: string
  readonly policyHash: string | null
}
