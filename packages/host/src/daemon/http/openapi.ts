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
  for (const route of routes) {
    const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    paths[route.path] ??= {}
    Object.assign(paths[route.path] ?? {}, {
      [route.method.toLowerCase()]: {
        summary: route.summary,
        ...(parameters.length > 0 ? { parameters } : {}),
        responses: { 200: { description: 'ok' } },
        ...(route.open ? { security: [] } : {}),
      },
    })
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Belay daemon', version, description: `JSON-RPC methods: ${methods.join(', ')}` },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(EVENTS.map(event => [event.name, eventJsonSchema(event)])),
    },
  }
}
