import { hostAgent } from './host-agent.ts'

/** Its own code asks: there is nothing to install. */
export const inProcess = hostAgent({})
