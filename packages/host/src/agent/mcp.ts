import { hostAgent } from './host-agent.ts'

/** The proxy is started by a client's own configuration: there is nothing to install. */
export const mcp = hostAgent({})
