import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isMachineBusy } from './machine.ts'

test('a machine whose processors all work is busy', async () => {
  const workers = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.terminate()))
  })
  await vi.waitUntil(isMachineBusy, { timeout: 10_000, interval: 300 })
  expect(isMachineBusy()).toBe(true)
})
