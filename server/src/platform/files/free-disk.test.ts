import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createMetrics } from '../http/metrics.ts'
import { createLog } from '../log/log.ts'
import { DiskWatch, spaceOf } from './free-disk.ts'

const watch = (free: number, minFreeDisk: { share: number; bytes: number }) =>
  new DiskWatch({ minFreeDisk }, createLog('silent'), async () => ({ free, total: 1_000 }))

test('a disk is low below a share of it, or below an amount', async () => {
  expect(await watch(49, { share: 0.05, bytes: 0 }).isLow()).toBe(true)
  expect(await watch(50, { share: 0.05, bytes: 0 }).isLow()).toBe(false)
  expect(await watch(99, { share: 0, bytes: 100 }).isLow()).toBe(true)
  await expect(watch(99, { share: 0, bytes: 100 }).refuseLow()).rejects.toMatchObject({
    code: 'STORAGE_LOW',
    retryAfterS: 600,
  })
})

test('the metrics tell what is free and that it is too little (H4)', async () => {
  const registry = createMetrics({ ofProcess: false })
  watch(99, { share: 0, bytes: 100 }).report(registry)
  const text = await registry.metrics()
  expect(text).toContain('disk_free_bytes 99')
  expect(text).toContain('disk_low 1')
})

test('a measure that failed is taken again', async () => {
  let tries = 0
  const disk = new DiskWatch({ minFreeDisk: { share: 0, bytes: 1 } }, createLog('silent'), async () => {
    tries += 1
    if (tries === 1) throw new Error('away')
    return { free: 0, total: 1_000 }
  })
  await expect(disk.isLow()).rejects.toThrow('away')
  expect(await disk.isLow()).toBe(true)
})

test('the disk of a folder is measured in bytes', async () => {
  const { free, total } = await spaceOf(tmpdir())()
  expect(free).toBeGreaterThan(0)
  expect(total).toBeGreaterThanOrEqual(free)
})
