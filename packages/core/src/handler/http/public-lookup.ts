// Resolves a name once and hands exactly the checked addresses to the connection: a second answer of a rebinding name is never asked for.
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPrivateAddress } from './private-address.ts'

export type ResolveName = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export class PrivateAddressError extends Error {
  constructor(host: string, address: string) {
    super(host === address ? `${address} is a private address` : `${host} resolves to the private address ${address}`)
    this.name = 'PrivateAddressError'
  }
}

/** Refuses a name as soon as one of its addresses is private. */
export function createPublicLookup(resolveName: ResolveName = lookup): LookupFunction {
  return (host, options, callback) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const refused = addresses.find(({ address }) => isPrivateAddress(address))
      if (refused !== undefined) return callback(new PrivateAddressError(host, refused.address), '')
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      if (first === undefined) return callback(new Error(`${host} has no address`), '')
      callback(null, first.address, first.family)
    })
  }
}
