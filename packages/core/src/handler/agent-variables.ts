// The variables that agents give their hooks.
import type { HookEvent } from '../hook/hook-event.ts'

/** What agents call the project for their hooks. A hook that was written for one of them runs under all of them. */
const PROJECT_VARIABLES = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'QWEN_PROJECT_DIR', 'FACTORY_PROJECT_DIR']

/** What the agent said of its environment, and the project under every name that is missing. */
export function agentVariables({ env, delivery, cwd }: HookEvent): Record<string, string> {
  const root = PROJECT_VARIABLES.map(name => env[name]).find(named => named !== undefined) ?? delivery?.root ?? cwd
  return { ...Object.fromEntries(PROJECT_VARIABLES.map(name => [name, root])), ...env }
}
