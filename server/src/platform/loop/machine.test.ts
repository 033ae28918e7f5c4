import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { machineLoad } from './machine.ts'

test('a machine whose processors all work has a full load', async () => {
  const workers = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.terminate()))
  })
  await vi.waitUntil(() => machineLoad() === 'full', { timeout: 30_000, interval: 300 })
  expect(machineLoad()).toBe('full')
})

test('other work of the process is felt, however much of the machine is left', async () => {
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      for (const until = performance.now() + 5; performance.now() < until; );
      await sleep(5)
    }
  })()
  await vi.waitUntil(() => machineLoad() !== 'little', { timeout: 30_000, interval: 300 })
  isOver = true
  await others
})
