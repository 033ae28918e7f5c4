import { beforeEach, describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'

const start = Date.parse('2026-11-20T09:00:00Z')
const minute = 60_000
const at = (minutes: number) => new Date(start + minutes * minute)
const minutesOf = (time: Date | null) => time && (time.getTime() - start) / minute

// A lane reads the states of devices again after a failure, a restart, and a change of settings that comes in between.
describe.each([
  { how: 'by what a lane remembers', maxRemembered: undefined },
  { how: 'by what the tables have', maxRemembered: 0 },
])('a clock that was hours ahead and is right again, judged $how', ({ maxRemembered }) => {
  const pipeline = describeIngest(maxRemembered === undefined ? {} : { maxRemembered })
  beforeEach(() => pipeline.clock.set(at(0).toISOString()))

  /** Sends one reading at an instant of the server's clock; the device says that it measured then, or when it is told to say. */
  async function send(device: TestDevice, now: number, temperatureC: number, says = now) {
    pipeline.clock.set(at(now).toISOString())
    const sent = await pipeline.post(device, { readings: [{ at: at(says).toISOString(), temperatureC }] })
    expect(sent.status, JSON.stringify(sent.answer)).toBe(200)
  }

  async function triggersOf({ companyId, id }: TestDevice) {
    const rows = await pipeline.rows<Record<'breach_at' | 'opened_at' | 'normal_at' | 'withdrawn_at', Date | null>>(
      'select * from alarm_triggers where (company_id, device_id) = ($1, $2) order by breach_at',
      [companyId, id],
    )
    return rows.map((row) => ({
      ...{ breach: minutesOf(row.breach_at), opened: minutesOf(row.opened_at), normal: minutesOf(row.normal_at) },
      ...(row.withdrawn_at && { withdrawn: true }),
    }))
  }

  const watched = async (rule: object = {}) => {
    const device = await pipeline.device({ intervalS: 600 })
    await anAlarm(pipeline, device, {
      rule: { kind: 'value', temperatureMaxC: 8, ...rule },
      deviceIds: [device.id],
      watchesFrom: at(-1_440),
    })
    return device
  }

  test('a warm fridge has an open trigger, whatever it said of the hours ahead', async () => {
    const device = await watched()
    await send(device, 0, 4)
    await send(device, 1, 4, 300)
    await send(device, 10, 11)
    await send(device, 20, 12)
    expect(await triggersOf(device)).toEqual([{ breach: 10, opened: 10, normal: null }])
    await send(device, 30, 5)
    expect(await triggersOf(device)).toEqual([{ breach: 10, opened: 10, normal: 30 }])
  })

  test('with a delay, too', async () => {
    const device = await watched({ delayMinutes: 15 })
    await send(device, 0, 4)
    await send(device, 1, 4, 300)
    for (const now of [10, 20, 30]) await send(device, now, 11)
    expect(await triggersOf(device)).toEqual([{ breach: 10, opened: 25, normal: null }])
  })

  test('a trigger that a reading ahead has closed goes on with the next warm one', async () => {
    const device = await watched()
    await send(device, 0, 11)
    await send(device, 5, 4, 300)
    expect(await triggersOf(device)).toEqual([{ breach: 0, opened: 0, normal: 300 }])
    await send(device, 10, 11)
    expect(await triggersOf(device)).toEqual([{ breach: 0, opened: 0, normal: null }])
  })

  test('it stays one trigger when the hours ahead are there, and readings of then come late', async () => {
    const device = await watched()
    await send(device, 0, 11)
    await send(device, 5, 4, 60)
    for (const now of [10, 20, 30, 40, 50]) await send(device, now, 11)
    for (const now of [61, 70]) await send(device, now, 12)
    await send(device, 75, 12, 55)
    await send(device, 80, 12)
    expect(await triggersOf(device)).toEqual([{ breach: 0, opened: 0, normal: null }])
  })

  test('a trigger that began ahead stays open until its time, and is not withdrawn', async () => {
    const device = await watched()
    await send(device, 0, 11, 60)
    expect(await triggersOf(device)).toEqual([{ breach: 60, opened: 60, normal: null }])
    await send(device, 10, 4)
    await send(device, 20, 4)
    expect(await triggersOf(device)).toEqual([{ breach: 60, opened: 60, normal: null }])
    await send(device, 70, 4)
    expect(await triggersOf(device)).toEqual([{ breach: 60, opened: 60, normal: 70 }])
    await send(device, 75, 4, 15)
    expect(await triggersOf(device)).toEqual([{ breach: 60, opened: 60, normal: 70 }])
  })

  test('a trigger that began ahead is the one that goes on where it is warm', async () => {
    const device = await watched({ delayMinutes: 15 })
    await send(device, 0, 11, 60)
    await send(device, 1, 11, 70)
    await send(device, 2, 11, 80)
    expect(await triggersOf(device)).toEqual([{ breach: 60, opened: 75, normal: null }])
    await send(device, 10, 11)
    // Not yet for as long as the delay: people were told of the open one.
    expect(await triggersOf(device)).toEqual([{ breach: 60, opened: 75, normal: null }])
    await send(device, 20, 11)
    await send(device, 30, 11)
    expect(await triggersOf(device)).toEqual([{ breach: 10, opened: 25, normal: null }])
    await send(device, 40, 4)
    expect(await triggersOf(device)).toEqual([{ breach: 10, opened: 25, normal: 40 }])
  })

  test('a clock that stays ahead is judged as its readings come; what it kept from before closes none of their triggers', async () => {
    const device = await watched()
    await send(device, 0, 11, 120)
    await send(device, 10, 4, 130)
    await send(device, 11, 4, 5)
    expect(await triggersOf(device)).toEqual([{ breach: 120, opened: 120, normal: 130 }])
    await send(device, 20, 11, 140)
    expect(await triggersOf(device)).toEqual([
      { breach: 120, opened: 120, normal: 130 },
      { breach: 140, opened: 140, normal: null },
    ])
  })

  test('a warm reading that it kept is open until the next cold one', async () => {
    const device = await watched()
    await send(device, 0, 4, 120)
    await send(device, 1, 11, 5)
    expect(await triggersOf(device)).toEqual([{ breach: 5, opened: 5, normal: null }])
    await send(device, 10, 4, 130)
    expect(await triggersOf(device)).toEqual([{ breach: 5, opened: 5, normal: 130 }])
  })
})
