// The MCP server of one agent: its verbs go to the daemon under the identity of the process that was started, never under one that was typed.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { fitsFields, inputSchemaOf, MCP_VERBS, type McpVerb } from './mcp-verb.ts'
import type { AnswerCall } from './stdio-transport.ts'

export type VerbAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }

export interface McpServerParts {
  readonly version: string
  /** Who calls: added to the parameters of every verb, over anything of the same name. */
  readonly identity: Readonly<Record<string, string>>
  ask(method: string, params: Readonly<Record<string, unknown>>): Promise<VerbAnswer>
  /** How a shell command would be judged for this agent. */
  explain(command: string): Promise<VerbAnswer> | VerbAnswer
}

export function createMcpServer({ version, identity, ask, explain }: McpServerParts): McpServer {
  const server = new McpServer({ name: 'belay', version }, { capabilities: { tools: {} } })
  for (const verb of MCP_VERBS) {
    server.registerTool(
      verb.name,
      {
        description: verb.description,
        inputSchema: fromJsonSchema<Readonly<Record<string, unknown>>>(inputSchemaOf(verb)),
        annotations: { readOnlyHint: verb.isReadOnly, destructiveHint: false, openWorldHint: false },
      },
      async input => reply(await ask(verb.method, { ...input, ...identity })),
    )
  }
  const command = { kind: 'text', about: 'the shell command' } as const
  server.registerTool(
    'explain',
    {
      description: 'How a shell command would be judged here, piece by piece, and by which rule. Runs nothing.',
      inputSchema: fromJsonSchema<{ readonly command: string }>(inputSchemaOf({ fields: { command } })),
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    },
    async input => reply(await explain(input.command)),
  )
  return server
}

/** The verbs without the package around them, for calls whose input is as it should be. */
export function createAnswerCall({ identity, ask }: Pick<McpServerParts, 'identity' | 'ask'>): AnswerCall {
  const verbs: ReadonlyMap<unknown, McpVerb> = new Map(MCP_VERBS.map(verb => [verb.name, verb]))
  return ({ name, arguments: input = {} }) => {
    const verb = verbs.get(name)
    return verb !== undefined && fitsFields(verb, input) ? ask(verb.method, { ...input, ...identity }).then(reply) : null
  }
}

function reply(answer: VerbAnswer) {
  if (!answer.ok) return { content: [{ type: 'text' as const, text: answer.why }], isError: true }
  return { content: [{ type: 'text' as const, text: JSON.stringify(answer.value) }] }
}
