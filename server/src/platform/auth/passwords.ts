import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { FairSlots } from '../loop/fair-slots.ts'
import { restOf } from '../loop/machine.ts'
import { networkOf } from './known-networks.ts'

const derive = promisify(argon2)

// OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, 2 passes, 1 lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** For so many times as long as a hash took its network rests, where all processors are busy: it has a fifth of one then. */
const timesAtRest = { little: 0, others: 0, full: 4 }

// A hash keeps a processor busy for a tenth of a second: while somebody guesses by the hundred, the others have the rest.
const slots = new FairSlots(Math.max(1, availableParallelism() >> 1), (tookMs) => restOf(tookMs, timesAtRest))

interface Settings {
  memory: number
  passes: number
  parallelism: number
}

const run = (password: string, nonce: Buffer, { memory, passes, parallelism }: Settings, address: string) =>
  slots.run(networkOf(address), () =>
    derive('argon2id', {
      message: password.normalize('NFKC'),
      nonce,
      tagLength: cost.tagLength,
      memory,
      passes,
      parallelism,
    }),
  )

/** The PHC string of a password, with its own salt. `address`: where the password came from; networks take turns. */
export async function hashPassword(password: string, address: string): Promise<string> {
  const nonce = randomBytes(16)
  const { memory, passes, parallelism } = cost
  const tag = await run(password, nonce, cost, address)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(tag)}`
}

/** Where passwords come from that nobody sent: of commands and of the demo. */
export const ownAddress = '127.0.0.1'

let decoy: Promise<string> | undefined

/**
 * Compares in constant time; without a hash it works as long and answers false, so that timing tells nothing. `address`: where the password came
 * from; networks take turns.
 */
export async function checkPassword(
  password: string,
  stored: string | null | undefined,
  address: string,
): Promise<boolean> {
  if (!stored) {
    decoy ??= hashPassword('decoy', ownAddress)
    await checkPassword(password, await decoy, address)
    return false
  }
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) return false
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  const expected = Buffer.from(tag, 'base64')
  const settings = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = await run(password, Buffer.from(salt, 'base64'), settings, address)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
