import { normalizeIP } from '@fastify/rate-limit'
import type { PublicContext } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import type { FailureLimit } from './failure-limit.ts'

/**
 * Counts tokens that lead nowhere, by address and in all. A good link is answered always, also behind an address that guesses: a flood of
 * guesses shuts nobody out.
 */
export function limitMisses(misses: FailureLimit) {
  return async <T>({ origin, clock }: PublicContext, read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LINK_INVALID') throw error
      // All links are guessed together, as those of one company.
      const guesser = { companyId: 0, person: { id: normalizeIP(origin.address, 64) }, clock }
      misses.refuseExceeded(guesser)
      misses.count(guesser)
      throw error
    }
  }
}
