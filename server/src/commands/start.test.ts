import { expect, test, vi } from 'vitest'
import { loadConfig } from '../platform/config/config.ts'
import type { Running } from '../start.ts'
import { startCommand } from './start.ts'

const running = vi.hoisted(() => ({ stop: vi.fn(async () => {}), fatal: vi.fn() }))
const refusal = 'LANES is 4, but the servers that run have 8 lanes'
vi.mock('../start.ts', () => ({
  start: async () =>
    ({
      refused: Promise.resolve(new Error(refusal)),
      stop: running.stop,
      services: { log: { fatal: running.fatal, info: () => {} } },
    }) as unknown as Running,
}))

test('a server that the others refuse stops in order, says why and ends with a failure', async () => {
  expect(await startCommand(loadConfig({}), [])).toBe(1)
  expect(running.stop).toHaveBeenCalledOnce()
  expect(running.fatal).toHaveBeenCalledWith(refusal)
})
