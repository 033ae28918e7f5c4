import type { FastifyRequest } from 'fastify'
import { isKnownNetwork, networkOf } from '../auth/known-networks.ts'
import { AppError } from '../errors/app-error.ts'
import type { Services } from '../services.ts'
import type { LimitStore } from './limit-store.ts'
import { addressKey, tooMany } from './limits.ts'

// The ceiling over all networks is this many times the limit of one network, counted over this many windows.
const ceilingTimes = 10
const ceilingWindows = 4

/** A right password of an unverified address, and a try that was refused unseen, are no guesses. */
const isGuess = (error: unknown) => error instanceof AppError && error.code === 'INVALID_CREDENTIALS'

/**
 * Runs a login within its limits, which count failures only: by account and network (a /24 of IPv4, a /64 of IPv6), and by
 * account from everywhere. A network that the account has logged in from before is free of the second, so that strangers lock
 * nobody out. Each try is counted before its password is looked at, or a thousand at once would pass, and taken back unless it failed.
 */
export async function withinLoginLimits<T>(
  services: Services,
  request: FastifyRequest,
  email: string,
  logIn: () => Promise<T>,
): Promise<T> {
  const { counters } = request.server
  const { perAccount, windowS } = services.config.rateLimits.login
  const windowMs = windowS * 1000
  const network = networkOf(request.ip)
  const own = `login:account:${email}:${network}`
  const taken = [addressKey('login', request), own]
  let wasGuess = false
  try {
    const fromHere = counters.take(own, windowMs)
    if (fromHere.current > perAccount) throw tooMany(Math.ceil(fromHere.ttl / 1000))
    if (!(await isKnownNetwork(services, email, network)))
      taken.push(countEverywhere(counters, email, perAccount * ceilingTimes, windowMs))
    return await logIn()
  } catch (error) {
    wasGuess = isGuess(error)
    throw error
  } finally {
    if (!wasGuess) for (const key of taken) counters.giveBack(key)
  }
}

/** Counts a try from a network that is new to the account; beyond the ceiling the next one waits twice as long, a window at most. */
function countEverywhere(counters: LimitStore, email: string, ceiling: number, windowMs: number): string {
  const everywhere = `login:everywhere:${email}`
  const pause = `login:pause:${email}`
  const paused = counters.read(pause)
  if (paused.current > 0) throw tooMany(Math.ceil(paused.ttl / 1000))
  const { current } = counters.take(everywhere, windowMs * ceilingWindows)
  if (current > ceiling) counters.take(pause, Math.min(windowMs, 1000 * 2 ** (current - ceiling)))
  return everywhere
}
