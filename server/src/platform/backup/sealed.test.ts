import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { signingKeys } from '../config/signing-keys.ts'
import { newIdentity, readIdentities } from './identity-file.ts'
import { RefusedError } from './refused.ts'
import { open, seal } from './sealed.ts'

test('a damaged object is refused wherever the damage is, also to one who reads it later', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-sealed-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const keys = await signingKeys(dataDir)
  const { text, recipient } = await newIdentity(keys.id)
  const file = join(dataDir, 'identity.txt')
  await writeFile(file, text)
  const identities = await readIdentities(file)
  async function* content() {
    for (let piece = 0; piece < 5; piece++) yield randomBytes(100_000)
  }
  const whole = await buffer(Readable.from(seal('a', {}, content(), { recipients: [recipient], keys })))
  const blocks = (bytes: Buffer) =>
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) => bytes.subarray(n * 65_536, (n + 1) * 65_536)),
    )
  for (const place of [300, 30_000, 70_000, 150_000, whole.length - 100])
    for (const isLate of [false, true]) {
      const damaged = Buffer.from(whole)
      damaged[place] = (damaged[place] ?? 0) ^ 4
      const read = async () => {
        const stored = blocks(damaged)
        const isOver = new Promise((closed) => stored.once('close', closed))
        const { content } = await open('a', stored, identities)
        // The damage is found meanwhile, where it is among what is read ahead.
        if (isLate) await Promise.race([isOver.then(() => sleep(20)), sleep(1_000)])
        for await (const _ of content);
      }
      // An error that nobody hears fails this run.
      await expect(read(), `at ${place}, ${isLate ? 'late' : 'at once'}`).rejects.toThrow(RefusedError)
    }
})
