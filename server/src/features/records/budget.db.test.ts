import type { Budget, BudgetState } from '@isotherm/contract/record-budget.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import '../../../test/properties.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { buildHardware } from '../../../test/stock.ts'
import type { TestReading } from '../../../test/test-pipeline.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute
const budget: Partial<Budget> = { aboveC: 8, aboveMinutes: 60, neverAboveC: 25, belowC: 2, belowMinutes: 30 }

async function team() {
  const admin = await buildUser(t)
  const now = Math.floor(t.clock.now().getTime() / minute) * minute
  t.clock.set(new Date(now))
  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    t.call(method, path, { token: admin.token, ...(body !== undefined && { body }) })
  const device = () =>
    aDevice(t, { companyId: admin.companyId, intervalS: 600, validFrom: new Date(now - 40 * 24 * hour) })
  const record = async (deviceIds: number[], from: number, to: number | null, more: object = {}): Promise<string> => {
    const window = { startAt: new Date(from).toISOString(), ...(to !== null && { endAt: new Date(to).toISOString() }) }
    const body = { name: `Trip ${from}`, deviceIds: deviceIds.map(String), budget, ...window, ...more }
    const made = await ask('POST', '/enterprise/record', body)
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    return made.body.payload.id
  }
  const left = async (id: string): Promise<BudgetState> =>
    (await ask('GET', `/enterprise/record/${id}`)).body.payload.budget
  return { admin, now, ask, device, record, left }
}
const series = (from: number, values: number[], step = 10): TestReading[] =>
  values.map((temperatureC, i) => ({ at: new Date(from + i * step * minute), temperatureC }))

describe('a stability budget', () => {
  test('tells what is left above and below, and when nothing was', async () => {
    const { now, device, record, left } = await team()
    const one = await device()
    const from = now - 5 * hour
    await pipeline.send(one, series(from, [5, 9, 9, 9, 5, 1, 5, 9, 9, 9, 9, 5]))
    const id = await record([one.id], from, now)
    expect(await left(id)).toMatchObject({
      state: 'spent',
      above: {
        usedMs: 70 * minute,
        usedHereMs: 70 * minute,
        leftMs: 0,
        exhaustedAt: new Date(from + 100 * minute).toISOString(),
      },
      below: { usedMs: 10 * minute, leftMs: 20 * minute, exhaustedAt: null },
      neverAbove: { brokenAt: null, worstC: null },
      neverBelow: null,
    })
  })

  test('a value on the threshold spends nothing; one above the never-limit breaks it at once', async () => {
    const { now, device, record, left } = await team()
    const one = await device()
    const from = now - 2 * hour
    await pipeline.send(one, series(from, [8, 8, 25, 25.01, 8, 8]))
    const id = await record([one.id], from, now)
    const state = await left(id)
    expect(state.above?.usedMs).toBe(20 * minute)
    expect(state.neverAbove).toEqual({
      limitC: 25,
      brokenAt: new Date(from + 30 * minute).toISOString(),
      worstC: 25.01,
    })
    expect(state.state).toBe('spent')
  })

  test('goes on across a device swap and across earlier records of the same lot, not those of another', async () => {
    const { now, device, record, left, ask } = await team()
    const [one, two] = [await device(), await device()]
    const from = now - 20 * hour
    await pipeline.send(one, series(from, [9, 9, 5]))
    await pipeline.send(two, series(from, [9, 9, 9, 9, 9, 5]))
    await record([one.id], from, from + hour, { lot: 'B-12' })
    await record([two.id], from, from + 2 * hour, { lot: 'other' })
    const id = await record([one.id], now - hour, null, { lot: 'b-12' })
    expect(await left(id)).toMatchObject({
      earlierRecords: 1,
      above: { usedMs: 20 * minute, usedHereMs: 0, leftMs: 40 * minute },
    })
    const fresh = await buildHardware(t)
    expect((await ask('POST', `/devices/${one.id}/swap`, { newImei: fresh.imei })).status).toBe(200)
    t.clock.advance(2 * hour)
    await pipeline.send({ imei: fresh.imei, secret: fresh.secret }, series(now + 10 * minute, [9, 9, 5]))
    expect(await left(id)).toMatchObject({
      state: 'ok',
      above: { usedMs: 40 * minute, usedHereMs: 20 * minute, leftMs: 20 * minute },
    })
  })

  test('counts two devices above at once but once', async () => {
    const { now, device, record, left } = await team()
    const [one, two] = [await device(), await device()]
    const from = now - 2 * hour
    await pipeline.send(one, series(from, [9, 9, 5]))
    await pipeline.send(two, series(from + 10 * minute, [9, 9, 5]))
    expect((await left(await record([one.id, two.id], from, now))).above?.usedMs).toBe(30 * minute)
  })

  test('of contradicting temperatures, or half of a pair, is refused', async () => {
    const { ask, device } = await team()
    const deviceIds = [String((await device()).id)]
    for (const wrong of [{}, { aboveC: 8 }, { belowMinutes: 5 }, { aboveC: 8, aboveMinutes: 10, neverAboveC: 7 }]) {
      const answer = await ask('POST', '/enterprise/record', { name: 'Wrong', deviceIds, budget: wrong })
      expect(answer.status, JSON.stringify(wrong)).toBe(422)
    }
  })
})

const Walk = fc.array(
  fc.record({
    step: fc.integer({ min: 1, max: 50 }),
    centi: fc.integer({ min: -300, max: 1_300 }),
    silent: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)
const Windows = fc.array(
  fc.record({ start: fc.integer({ min: 0, max: 900 }), length: fc.integer({ min: 1, max: 400 }) }),
  {
    minLength: 1,
    maxLength: 3,
  },
)

test('what a budget says is what a minute-by-minute recount of the raw readings says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Walk, { minLength: 1, maxLength: 3 }), Windows, async (walks, windows) => {
      const { now, device, record, left } = await team()
      const origin = now - 30 * hour
      const devices = []
      for (const walk of walks) {
        const own = await device()
        let at = 0
        const readings = walk.map(({ step, centi, silent }) => {
          at += step
          return {
            at: new Date(origin + at * minute),
            ...(silent ? { batteryPct: 50 } : { temperatureC: centi / 100 }),
          }
        })
        await pipeline.send(own, readings)
        devices.push({ id: own.id, readings })
      }
      const sorted = windows.toSorted((a, b) => a.start - b.start)
      const lot = `lot ${origin} ${Math.random()}`
      let [id, last] = ['', { start: 0, length: 0 }]
      const counted: { device: (typeof devices)[number]; from: number; to: number }[] = []
      for (const [index, window] of sorted.entries()) {
        const own = devices[index % devices.length]
        const from = Math.max(window.start, last.start + last.length)
        if (!own) continue
        last = { start: from, length: window.length }
        const [start, end] = [origin + from * minute, origin + (from + window.length) * minute]
        id = await record([own.id], start, end, { lot })
        counted.push({ device: own, from: start, to: end })
      }
      const told = await left(id)
      const recount = (beyond: (value: number) => boolean) => {
        let ms = 0
        for (let at = origin; at < now; at += minute) {
          const isBeyond = counted.some(({ device: { readings }, from, to }) => {
            if (at < from || at >= to) return false
            const current = readings.findLast((one) => one.at.getTime() <= at && 'temperatureC' in one)
            if (!current || !('temperatureC' in current)) return false
            return at - current.at.getTime() < 30 * minute && beyond(Number(current.temperatureC))
          })
          if (isBeyond) ms += minute
        }
        return ms
      }
      expect(told.above?.usedMs).toBe(recount((value) => value > 8))
      expect(told.below?.usedMs).toBe(recount((value) => value < 2))
    }),
    { numRuns: 25 },
  )
}, 120_000)
