import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { atMost } from '../loop/at-most.ts'

const derive = promisify(argon2)

// OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, 2 passes, 1 lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

// A hash keeps a processor busy for a tenth of a second: while somebody guesses by the hundred, the others have the rest.
const onHalfOfTheProcessors = atMost(Math.max(1, availableParallelism() >> 1))

const run = (password: string, nonce: Buffer, settings: { memory: number; passes: number; parallelism: number }) =>
  onHalfOfTheProcessors(() =>
    derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength: cost.tagLength, ...settings }),
  )

/** The PHC string of a password, with its own salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const { memory, passes, parallelism } = cost
  const tag = await run(password, nonce, { memory, passes, parallelism })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(tag)}`
}

let decoy: Promise<string> | undefined

/** Compares in constant time; without a hash it works as long and answers false, so that timing tells nothing. */
export async function checkPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  if (!stored) {
    decoy ??= hashPassword('decoy')
    await checkPassword(password, await decoy)
    return false
  }
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) return false
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  const expected = Buffer.from(tag, 'base64')
  const actual = await run(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
