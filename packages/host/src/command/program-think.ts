// The commands about guardrails, and the MCP server that agents load.
import type { Command } from 'commander'
import type { CommandIo } from './io.ts'
import type { Outcome } from './program.ts'

export function addThinkCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = async (code: number | Promise<number>): Promise<void> => {
    outcome.code = await code
  }
  const guardrails = program
    .command('guardrails')
    .description('checks around tool calls, sub-agents, prompts and stops, switched on by name')
  guardrails
    .command('list')
    .description('every guardrail and whether it is on here')
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./guardrails.ts')).runGuardrailsList(options, io)))
  guardrails
    .command('explain')
    .description('what a guardrail does, how it is set here, and how it is switched on')
    .argument('<name>', 'such as schema_guard')
    .option('--json', 'print JSON')
    .action(async (name, options) => settle((await import('./guardrails.ts')).runGuardrailsExplain({ ...options, name }, io)))
  guardrails
    .command('try')
    .description('put one event through a guardrail and show what it says; nothing is recorded')
    .argument('<name>', 'such as schema_guard')
    .option('--event <event>', 'the event; default: the one the guardrail is about')
    .option('--tool <tool>', 'the tool called')
    .option('--input <json>', 'its input')
    .option('--payload <json>', 'any other fields of the event')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  belay guardrails try schema_guard --tool Write --input '{"file_path":"a.md"}'\n  belay guardrails try failure_hints --tool Bash --payload '{"error":"ENOENT: no such file"}'`,
    )
    .action(async (name, options) => settle((await import('./guardrails-try.ts')).runGuardrailsTry({ ...options, name }, io)))
  program
    .command('mcp')
    .description("the engine's verbs as an MCP server on stdio (agents load this)")
    .option('--http', 'over HTTP on loopback instead; needs the token it prints, or BELAY_MCP_TOKEN')
    .option('--port <n>', 'the port; default: any free one', Number)
    .addHelpText(
      'after',
      '\nExample, in an agent\'s configuration:\n  {"mcpServers": {"belay": {"command": "belay", "args": ["mcp"], "env": {"BELAY_ACTOR": "agent:executor"}}}}',
    )
    .action(async options => settle((await import('./mcp.ts')).runMcp(options, io)))
}
