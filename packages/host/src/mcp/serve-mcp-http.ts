// MCP over HTTP on loopback: a token, and Host and Origin checked, because whoever reaches it acts as the agent it was started for.

import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { errorText } from '@belay/core/value'
import { localhostHostValidation, localhostOriginValidation, NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import type { McpServer } from '@modelcontextprotocol/server'
import { listenForMcp, type McpDoor } from './listen-for-mcp.ts'

export interface McpHttpOptions {
  readonly port: number
  readonly token: string
  /** One for each request: nothing is kept between them. */
  createServer(): McpServer
}

export async function serveMcpHttp(options: McpHttpOptions): Promise<McpDoor> {
  const validateHost = localhostHostValidation()
  const validateOrigin = localhostOriginValidation()
  const server = createServer((request, response) => {
    if (!validateHost(request, response) || !validateOrigin(request, response)) return
    if (!hasToken(request, options.token)) {
      refuse(response, 401, 'a token is needed: Authorization: Bearer ...')
      return
    }
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') {
      refuse(response, 404, 'the server is at /mcp')
      return
    }
    handle(options, request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, errorText(error))
    })
  })
  return listenForMcp(server, options.port)
}

async function handle({ createServer: create }: McpHttpOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const transport = new NodeStreamableHTTPServerTransport({})
  const server = create()
  response.on('close', () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response)
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error }))
}
