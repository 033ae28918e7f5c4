import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { trackingCodeOf } from '../../server/src/domain/tracking-code.ts'
import { tokenHash } from '../../server/src/platform/auth/tokens.ts'

interface Space {
  /** How it is guessed. */
  what: string
  /** Guesses that are possible for one secret, as a power of two. */
  bits: number
  /** Secrets that one guess may hit. */
  atOnce: number
}

const expectedOf = (guesses: number, { bits, atOnce }: Space) => (guesses * atOnce) / 2 ** bits

function tell(guesses: number, hits: number, ms: number, space: Space): void {
  const expected = expectedOf(guesses, space).toExponential(1)
  console.log(
    `simulated, ${space.what}: ${guesses} guesses, ${hits} hits, ${expected} expected (${guesses} × ${space.atOnce} / 2^${space.bits}), ${Math.round(ms)} ms`,
  )
}

/** Random tokens against the hashes of so many links; the hits. */
export function simulateLinks(guesses: number, links: number): number {
  const token = () => tokenHash(randomBytes(32).toString('base64url')).toString('hex')
  const known = new Set(Array.from({ length: links }, token))
  const began = performance.now()
  let hits = 0
  for (let n = 0; n < guesses; n++) if (known.has(token())) hits++
  tell(guesses, hits, performance.now() - began, { what: 'tokens of links', bits: 256, atOnce: links })
  return hits
}

/** Random codes with a right check character, each against the order that its call names, of so many that run; the hits. */
export function simulateCodes(guesses: number, orders: number): number {
  const codes = Array.from({ length: orders }, () => trackingCodeOf(randomBytes(5)))
  const all = new Set(codes)
  const began = performance.now()
  let hits = 0
  let anywhere = 0
  for (let n = 0; n < guesses; n++) {
    const guess = trackingCodeOf(randomBytes(5))
    if (codes[n % orders] === guess) hits++
    if (all.has(guess)) anywhere++
  }
  const space = { what: 'tracking codes', bits: 40, atOnce: 1 }
  tell(guesses, hits, performance.now() - began, space)
  const found = expectedOf(guesses, { ...space, atOnce: orders }).toExponential(1)
  console.log(
    `a call that found an order by its code alone, of ${orders}, would have been hit ${anywhere} times, ${found} expected: no call does, each names its order`,
  )
  return hits
}
