// /openapi.json, made from the route table and the event table: what is documented is what is there.
import { EVENTS, eventJsonSchema } from '@belay/core'
import type { Route } from './route.ts'
import { sendJson } from './server.ts'

export function createOpenApiRoute(routes: () => readonly Route[], methods: () => Iterable<string>, version: string): Route {
  return {
    method: 'GET',
    path: '/openapi.json',
    open: true,
    summary: 'This document.',
    run({ response }) {
      sendJson(response, 200, describe(routes(), [...methods()].sort(), version))
    },
  }
}

function describe(routes: readonly Route[], methods: readonly string[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route) }
  return {
    openapi: '3.1.0',
    info: { title: 'Belay daemon', version, description: `JSON-RPC methods: ${methods.join(', ')}` },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(EVENTS.map(event => [event.name, eventJsonSchema(event)])),
        RpcRequest: rpcRequest(methods),
        Problem: PROBLEM,
      },
    },
  }
}

function describeRoute({ path, summary, takes, open }: Route) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const parameters = [...inPath, ...listParameters('query', takes?.query), ...listParameters('header', takes?.headers)]
  return {
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takes?.body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': { schema: takes.body } } } }),
    responses: {
      200: { description: 'ok' },
      default: { description: 'what is wrong', content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    },
    ...(open ? { security: [] } : {}),
  }
}

function listParameters(place: 'query' | 'header', names: Readonly<Record<string, string>> = {}) {
  return Object.entries(names).map(([name, description]) => ({ name, in: place, description, schema: { type: 'string' } }))
}

function rpcRequest(methods: readonly string[]) {
  return {
    type: 'object',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'number', 'null'] },
      method: { enum: methods },
      params: { type: 'object' },
    },
  }
}

const PROBLEM = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['status', 'message'],
      properties: { status: { type: 'integer' }, message: { type: 'string' } },
    },
  },
}
