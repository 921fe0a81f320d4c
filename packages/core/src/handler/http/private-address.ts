// Addresses that an http hook must not reach by accident: this machine, its networks, and the metadata services of clouds.
import { BlockList, isIP } from 'node:net'

const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

const PRIVATE_V6: readonly (readonly [string, number])[] = [
  // Unspecified, loopback, and the old IPv4-compatible form.
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  // Teredo and 6to4 carry an IPv4 address inside.
  ['2001::', 32],
  ['2002::', 16],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

/** IPv4 inside IPv6: mapped, translated (SIIT), and NAT64. */
const V4_CARRIERS = ['::ffff:', '::ffff:0:', '64:ff9b::']

const privateAddresses = new BlockList()
for (const [address, prefix] of PRIVATE_V4) {
  privateAddresses.addSubnet(address, prefix, 'ipv4')
  for (const carrier of V4_CARRIERS) privateAddresses.addSubnet(carrier + address, 96 + prefix, 'ipv6')
}
for (const [address, prefix] of PRIVATE_V6) privateAddresses.addSubnet(address, prefix, 'ipv6')

/** Anything that is not an IP address counts as private: nothing is known about it. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 0) return true
  // A zone index (fe80::1%eth0) names a link of this machine.
  if (address.includes('%')) return true
  return privateAddresses.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
