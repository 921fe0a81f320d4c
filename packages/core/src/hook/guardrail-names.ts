/** The guardrails that there are, and that a policy may set, in their order. */
export const GUARDRAIL_NAMES = [
  'schema_guard',
  'schema_nudge',
  'failure_hints',
  'side_effects',
  'tool_ledger',
  'artifacts',
  'stop_harness',
  'skill_discovery',
] as const
