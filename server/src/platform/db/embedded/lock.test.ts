import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LockedError, lock } from './lock.ts'

test('whoever asks for the holder of a lock and is gone at once does not end the server that holds it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-lock-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const held = await lock(dir)
  onTestFinished(() => held.release())
  const { dev, ino } = await stat(dir)
  // Some of them before they were answered, some while they are: an error that nobody hears fails this run.
  const ask = () =>
    new Promise((closed) => {
      const socket = connect(`\0isotherm-${dev}-${ino}`, () => socket.destroy())
      socket.on('error', () => {}).on('close', closed)
    })
  for (let round = 0; round < 50; round++) await Promise.all(Array.from({ length: 20 }, ask))
  await expect(lock(dir)).rejects.toMatchObject(new LockedError(dir, process.pid))
})
