// The commands about guardrails, the MCP server that agents load, and the proxy before other MCP servers.
import type { Command } from 'commander'
import type { CommandIo } from '../terminal/io.ts'
import type { Outcome } from './program.ts'
import { wholeNumber } from './whole-number.ts'

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
    .command('calls')
    .description('the calls that tool_ledger has written down: class, replay policy, status, receipt')
    .option('--run <run>', 'of one run: effort:3 or session:ID')
    .option('--status <status>', 'prepared, running, succeeded, failed or abandoned')
    .option('--limit <n>', 'how many; default: 50', wholeNumber(1))
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./guardrails-calls.ts')).runGuardrailsCalls(options, io)))
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
  const mcp = program
    .command('mcp')
    .description("the engine's verbs as an MCP server on stdio (agents load this)")
    .option('--http', 'over HTTP on loopback instead; needs the token it prints, or BELAY_MCP_TOKEN')
    .option('--port <n>', 'the port; default: any free one', wholeNumber(0, 65_535))
    .addHelpText(
      'after',
      '\nExample, in an agent\'s configuration:\n  {"mcpServers": {"belay": {"command": "belay", "args": ["mcp"]}}}\nThe role is the one that a person started the agent in: belay run --actor executor -- claude',
    )
    .action(async options => settle((await import('./mcp.ts')).runMcp(options, io)))
  addPins(mcp, io, settle)
  program
    .command('mcp-proxy')
    .description('between an MCP client and a server: its tool calls are judged, the rest passes')
    .argument('[command...]', 'the command that starts the server, after --')
    .option('--url <url>', 'a server behind an address instead (streamable HTTP)')
    .option('--header <header...>', 'with --url: "Name: value" for the server; ${NAME} is taken from the environment')
    .option('--listen <port>', 'with --url: serve HTTP on loopback instead of stdio; 0: any free port', wholeNumber(0, 65_535))
    .option('--server <name>', 'the name in mcp__NAME__tool; default: made from the command or the address')
    .option('--agent <name>', 'judge as agent:NAME where the environment does not say who calls')
    .option('--hold <seconds>', 'how long a call may wait for a person; default 50', Number)
    .addHelpText(
      'after',
      '\nExamples, in an agent\'s configuration:\n  {"mcpServers": {"files": {"command": "belay", "args": ["mcp-proxy", "--server", "files", "--", "npx", "-y", "server-files", "."]}}}\n  {"mcpServers": {"mail": {"command": "belay", "args": ["mcp-proxy", "--server", "mail", "--url", "https://mcp.example.com/mcp"]}}}\n  belay mcp-proxy --url https://mcp.example.com/mcp --listen 4600     then {"url": "http://127.0.0.1:4600/mcp"}',
    )
    .action(async (command, options) => settle((await import('./mcp-proxy.ts')).runMcpProxy({ ...options, command }, io)))
}

type Settle = (code: number | Promise<number>) => Promise<void>

function addPins(mcp: Command, io: CommandIo, settle: Settle): void {
  mcp
    .command('pin')
    .description("the definitions of servers' tools that are pinned, and what waits for a person")
    .argument('[server]', 'one server only')
    .option('--json', 'print JSON')
    .action(async (server, options) => settle((await import('./mcp-pins.ts')).runMcpPin({ ...options, server }, io)))
  mcp
    .command('diff')
    .description('how definitions differ from what is pinned; ends with 1 where one does')
    .argument('[server]', 'one server only')
    .option('--json', 'print JSON')
    .action(async (server, options) => settle((await import('./mcp-pins.ts')).runMcpDiff({ ...options, server }, io)))
  mcp
    .command('approve')
    .description('pin the definitions as they are now: their tools are called without a question again')
    .argument('<server>', 'the server, as in mcp__SERVER__tool')
    .argument('[tool]', 'one of its tools only')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  belay mcp diff files && belay mcp approve files read_file')
    .action(async (server, tool, options) => settle((await import('./mcp-pins.ts')).runMcpApprove({ ...options, server, tool }, io)))
}
