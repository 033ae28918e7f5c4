import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { signingKeys } from '../config/signing-keys.ts'
import { newIdentity, readIdentities } from './identity-file.ts'
import { SealThread } from './seal-thread.ts'
import { open } from './sealed.ts'

test('a piece that cannot be sealed fails, and the next one begins a thread that can', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-sealing-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const { text, recipient } = await newIdentity((await signingKeys(dataDir)).id)
  const identity = join(dataDir, 'identity.txt')
  await writeFile(identity, text)
  const thread = new SealThread({ dataDir, recipients: [recipient] })
  onTestFinished(() => thread.stop())
  const shared = Buffer.from(new SharedArrayBuffer(3_000_000))
  shared.set(randomBytes(shared.length))
  const piece = (bytes = shared) => ({ name: 'a/wal/1', about: { since: 'now' }, bytes })

  const keys = await readFile(join(dataDir, 'audit-keys.json'))
  await writeFile(join(dataDir, 'audit-keys.json'), 'damaged')
  await expect(thread.seal(piece())).rejects.toThrow('is damaged')
  await writeFile(join(dataDir, 'audit-keys.json'), keys)
  for (const bytes of [shared, shared.subarray(17, 1_000_000), shared.subarray(5, 6)]) {
    const sealed = await thread.seal(piece(bytes))
    const { about, content } = await open('a/wal/1', Readable.from([sealed]), await readIdentities(identity))
    expect(about).toEqual({ since: 'now' })
    expect((await buffer(Readable.from(content))).equals(bytes)).toBe(true)
  }
})
