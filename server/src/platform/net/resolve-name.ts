import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { fullNames, hostsOfMachine, searchOfMachine } from './machine-names.ts'

export interface Address {
  address: string
  family: number
}

/** A name server that says nothing is asked three times: after 2, 4 and 8 seconds the name is given up. */
const asking = { timeout: 2_000, tries: 3 }

/**
 * The addresses of a name: as /etc/hosts has it, else as the name servers of the machine have it; those of IPv4 first. It waits on sockets. The
 * system's own look-up (`dns.lookup`) would hold a thread of the pool, of which there are four for files and ciphers as well, until its name server
 * answers. Throws the reason of `signal` once that ends it, or what the name servers said.
 */
export async function resolveName(name: string, signal: AbortSignal): Promise<Address[]> {
  const bare = name.replace(/\.$/, '').toLowerCase()
  const here = (await hostsOfMachine()).get(bare) ?? ownNames(bare)
  if (here) return here.map(withFamily).sort(byFamily)
  signal.throwIfAborted()
  const resolver = new Resolver(asking)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    return await askAll(resolver, fullNames(name, await searchOfMachine()), signal)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** These names are this machine everywhere (RFC 6761). */
const ownNames = (name: string) => (/(^|\.)localhost$/.test(name) ? ['127.0.0.1', '::1'] : undefined)

const withFamily = (address: string): Address => ({ address, family: isIP(address) })
const byFamily = (a: Address, b: Address) => a.family - b.family

/** The addresses of the first name that has some. A name server that fails ends the search: the next name may be another machine. */
async function askAll(resolver: Resolver, names: readonly string[], signal: AbortSignal): Promise<Address[]> {
  let fault: unknown
  for (const name of names) {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found.map(withFamily)
    signal.throwIfAborted()
    const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    fault = faults.find((one) => !saysNone(one)) ?? faults[0]
    if (!saysNone(fault)) break
  }
  throw fault
}

/** Whether a name server said that there is no such name, or no such address of it. */
export const saysNone = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && (fault.code === 'ENODATA' || fault.code === 'ENOTFOUND')
