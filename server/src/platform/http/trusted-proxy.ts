import { BlockList, isIP } from 'node:net'
import type { Config } from '../config/config.ts'

const near = new BlockList()
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  near.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  near.addSubnet(net, bits, 'ipv6')

function isNear(address: string): boolean {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  return near.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Which hops may name the client's address, as fastify's `trustProxy` takes it. A number is that many proxies in front of us,
 * and counts only where the peer is on this machine or in a private network: whoever comes from elsewhere is the client.
 */
export const trustedProxies = (proxies: Config['trustProxy']) =>
  typeof proxies === 'number'
    ? (address: string, hop: number) => hop < proxies && (hop > 0 || isNear(address))
    : proxies
