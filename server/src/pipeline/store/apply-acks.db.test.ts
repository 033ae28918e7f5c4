import { beforeEach, describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'

const pipeline = describeIngest()

const minute = 60_000
const at = (minutes: number) => new Date(Date.parse('2026-11-20T12:00:00Z') + minutes * minute)
const clockAt = (minutes: number) => pipeline.clock.set(at(minutes).toISOString())
beforeEach(() => clockAt(0))

/** Asks a device for something, at a minute; returns the command's id. */
async function command(device: TestDevice, minutes: number, kind: string, value: unknown): Promise<string> {
  const created = [device.companyId, device.id, kind, JSON.stringify(value), at(minutes)]
  await pipeline.change(
    device.companyId,
    'insert into device_commands (company_id, device_id, kind, value, created_at) values ($1, $2, $3, $4, $5)',
    created,
  )
  const [last] = await pipeline.rows<{ id: string }>(
    'select max(id)::text as id from device_commands where company_id = $1 and device_id = $2',
    [device.companyId, device.id],
  )
  return last!.id
}
const answer = (device: TestDevice, ...acks: { commandId: string; at?: Date; ok?: boolean }[]) =>
  pipeline.post(device, { readings: [], acks: acks.map((ack) => ({ ok: true, ...ack })) })
const send = (device: TestDevice, ...readings: [minutes: number, degrees: number][]) =>
  pipeline.post(device, {
    readings: readings.map(([minutes, temperatureC]) => ({ at: at(minutes).toISOString(), temperatureC })),
  })
const settings = async (device: TestDevice) =>
  (await pipeline.rows('select interval_s, power, flight_mode from devices where id = $1', [device.id]))[0]
const excursions = async (device: TestDevice) =>
  (
    await pipeline.rows<{ start_at: Date; end_at: Date | null; ended_by: string | null }>(
      'select start_at, end_at, ended_by from excursions where device_id = $1 order by start_at',
      [device.id],
    )
  ).map(({ start_at, end_at, ended_by }) => [
    ...[start_at, end_at].map((time) => time && (time.getTime() - at(0).getTime()) / minute),
    ended_by,
  ])

test('an answer of a clock that is far ahead counts from its arrival: silence is missed all the same', async () => {
  const device = await pipeline.device()
  await anAlarm(pipeline, device, { rule: { kind: 'noData', afterMinutes: 30 }, deviceIds: [device.id] })
  const commandId = await command(device, -5, 'power', { state: 'on' })
  await send(device, [0, 5])
  await answer(device, { commandId, at: new Date('2046-01-01T00:00:00Z') })
  clockAt(32)
  await pipeline.pipeline.sweepAlarms(true)
  expect(await pipeline.rows('select opened_at from alarm_triggers where device_id = $1', [device.id])).toEqual([
    { opened_at: at(30) },
  ])
})

describe('the newest command wins', () => {
  test('whatever the order of the answers', async () => {
    const device = await pipeline.device()
    const [on, off] = [
      await command(device, -9, 'flight_mode', { state: 'on' }),
      await command(device, -8, 'flight_mode', { state: 'off' }),
    ]
    await answer(device, { commandId: off, at: at(-7) })
    await answer(device, { commandId: on, at: at(-8) })
    expect(await settings(device)).toMatchObject({ flight_mode: 'off' })
  })
  test('also in one message, but where the device refused it', async () => {
    const device = await pipeline.device()
    const ids = [
      await command(device, -9, 'interval', { intervalS: 300 }),
      await command(device, -8, 'interval', { intervalS: 600 }),
      await command(device, -7, 'interval', { intervalS: 900 }),
    ]
    await answer(device, ...ids.toReversed().map((commandId, index) => ({ commandId, at: at(-index), ok: index > 0 })))
    expect(await settings(device)).toMatchObject({ interval_s: 600 })
    expect(
      await pipeline.rows('select interval_s from device_intervals where device_id = $1 order by valid_from', [
        device.id,
      ]),
    ).toEqual([{ interval_s: 180 }, { interval_s: 300 }, { interval_s: 600 }])
  })
})

describe('a new interval counts from when the device measured so', () => {
  test('and readings that came before its answer are judged by it', async () => {
    const device = await pipeline.device({ intervalS: 180 })
    const commandId = await command(device, -300, 'interval', { intervalS: 3600 })
    await send(device, [-303, 9], [-300, 9], [-240, 9], [-180, 9], [-120, 9], [-60, 9], [-3, 5])
    expect(await excursions(device)).toHaveLength(5)
    await answer(device, { commandId, at: at(-300) })
    await expect.poll(() => excursions(device)).toEqual([[-303, -3, 'inside']])
  })
  test('and the next reading finds it, where nothing was judged again yet', async () => {
    const device = await pipeline.device({ intervalS: 3600 })
    const commandId = await command(device, -300, 'interval', { intervalS: 180 })
    await send(device, [-360, 9], [-300, 9], [-240, 9])
    expect(await excursions(device)).toEqual([[-360, null, null]])
    await answer(device, { commandId, at: at(-300) })
    await send(device, [-3, 5])
    expect(await excursions(device)).toEqual([
      [-360, -291, 'gap'],
      [-240, -231, 'gap'],
    ])
  })
})
