import { Resolver } from 'node:dns/promises'
import type { Services } from '../services.ts'
import { saysNone } from './resolve-name.ts'

/** The texts of the DNS records (TXT) of a domain; null where it cannot be asked now, which says nothing of the domain. */
export async function txtRecords(
  { resolveTxt, log }: Pick<Services, 'resolveTxt' | 'log'>,
  domain: string,
): Promise<string[] | null> {
  try {
    const records = await (resolveTxt ?? bySystem)(domain)
    return records.map((parts) => parts.join(''))
  } catch (err) {
    if (saysNone(err)) return []
    log.warn({ err, domain }, 'a domain could not be asked for its DNS records')
    return null
  }
}

const bySystem = (domain: string): Promise<string[][]> => new Resolver({ timeout: 3_000, tries: 2 }).resolveTxt(domain)
