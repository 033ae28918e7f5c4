import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { checks } from './checks.ts'
import { type Instance, startInstance } from './instance.ts'
import { settle } from './people.ts'
import { type People, worldFor } from './world.ts'

// A server and a PostgreSQL of its own start.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

let instance: Instance
let people: People
beforeAll(async () => {
  instance = await startInstance()
  people = await settle(instance)
})
afterAll(() => instance?.close())

describe('OWASP ASVS 5.0 level 2, on a running instance with the settings it is shipped with', () => {
  test.each(checks.map((check) => ({ ...check, check })))('$id $says', async ({ check }) => {
    expect(await check.fault(worldFor(instance, people))).toBeNull()
  })
})

describe('each check can fail: shown a spoiled view, it finds a fault', () => {
  test.each(checks.map((check) => ({ ...check, check })))('$id $says', async ({ check }) => {
    const found = await check.fault(worldFor(instance, people, check.spoiled)).catch(String)
    expect(found).not.toBeNull()
  })
})
