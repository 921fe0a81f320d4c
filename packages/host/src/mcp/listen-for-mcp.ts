// An MCP door on loopback.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface McpDoor {
  readonly url: string
  close(): Promise<void>
}

export async function listenForMcp(server: Server, port: number): Promise<McpDoor> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
