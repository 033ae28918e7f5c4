import { describe, expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { setLimits } from '../../../test/device-factory.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'

const pipeline = describeIngest()

const minute = 60_000
const at = (minutesAgo: number) => new Date(Date.parse('2026-11-20T12:00:00Z') - minutesAgo * minute).toISOString()
const readings = (device: TestDevice) => pipeline.readingsOf(device)

describe('owners', () => {
  const acrossTime = {
    readings: [
      { at: at(61), temperatureC: 1 },
      { at: at(60), temperatureC: 2 },
      { at: at(31), temperatureC: 3 },
      { at: at(30), temperatureC: 4 },
      { at: at(1), temperatureC: 5 },
    ],
  }
  const endAt = (device: TestDevice, to: string) =>
    pipeline.change(device.companyId, `update assignments set valid_to = $2 where device_id = $1`, [device.id, to])

  test('a reading belongs to the device that had the tracker when it was measured, also in one message', async () => {
    const tracker = await pipeline.tracker()
    const before = await pipeline.device({ tracker })
    await endAt(before, at(60))
    const after = await pipeline.device({ tracker, companyId: before.companyId, validFrom: new Date(at(30)) })
    const { answer } = await pipeline.post(tracker, acrossTime)
    expect(answer).toMatchObject({
      accepted: 3,
      rejected: [
        { index: 1, code: 'NOT_ASSIGNED' },
        { index: 2, code: 'NOT_ASSIGNED' },
      ],
    })
    expect((await readings(before)).map((row) => row.temperature_centi)).toEqual([100])
    expect((await readings(after)).map((row) => row.temperature_centi)).toEqual([400, 500])
  })

  test('what was measured for a former owner is kept on nobody’s list, and is no reading of anybody (L28)', async () => {
    const tracker = await pipeline.tracker()
    const seller = await pipeline.device({ tracker })
    await endAt(seller, at(60))
    const buyer = await pipeline.device({ tracker, validFrom: new Date(at(30)) })
    const soldEvents = pipeline.listen(seller.companyId)
    const boughtEvents = pipeline.listen(buyer.companyId)
    const { answer } = await pipeline.post(tracker, acrossTime)
    expect(answer).toMatchObject({
      accepted: 2,
      rejected: [
        { index: 0, code: 'NOT_ASSIGNED' },
        { index: 1, code: 'NOT_ASSIGNED' },
        { index: 2, code: 'NOT_ASSIGNED' },
      ],
    })
    expect(await readings(seller)).toEqual([])
    expect((await readings(buyer)).map((row) => row.temperature_centi)).toEqual([400, 500])
    expect(soldEvents).toEqual([])
    expect(boughtEvents.filter((event) => event.kind === 'reading')).toMatchObject([
      { deviceId: buyer.id, data: { count: 2 } },
    ])
  })

  test('probes of one tracker are devices of their own', async () => {
    const tracker = await pipeline.tracker()
    const { companyId } = await pipeline.device()
    const [one, two] = [
      await pipeline.device({ tracker, companyId }),
      await pipeline.device({ tracker, companyId, probe: 2 }),
    ]
    await pipeline.post(tracker, {
      readings: [
        { at: at(1), temperatureC: 4 },
        { at: at(1), temperatureC: -20, probe: 2 },
      ],
    })
    expect(await readings(one)).toMatchObject([{ temperature_centi: 400 }])
    expect(await readings(two)).toMatchObject([{ temperature_centi: -2000 }])
  })

  test('a new assignment applies to the very next reading', async () => {
    const tracker = await pipeline.tracker()
    expect((await pipeline.post(tracker, { temperatureC: 4 })).answer.accepted).toBe(0)
    const device = await pipeline.device({ tracker })
    expect((await pipeline.post(tracker, { temperatureC: 4 })).answer.accepted).toBe(1)
    expect(await readings(device)).toHaveLength(1)
  })

  test('readings of paused, switched-off and decommissioned devices are kept', async () => {
    const device = await pipeline.device()
    await pipeline.change(
      device.companyId,
      `update devices set transmission = 'paused', power = 'off', decommissioned_at = now() where id = $1`,
      [device.id],
    )
    expect((await pipeline.post(device, { temperatureC: 4 })).answer.accepted).toBe(1)
  })

  test('row-level security shows a company its own readings only, and no partition directly', async () => {
    const [device, other] = [await pipeline.device(), await pipeline.device()]
    await pipeline.post(device, { at: at(1), temperatureC: 4 })
    const client = await pipeline.pool.connect()
    try {
      await client.query(`begin; set local role app; set local app.company_id = '${other.companyId}'`)
      for (const table of ['readings', 'readings_hourly', 'device_latest', 'excursions', 'ingest_rejected'])
        expect((await client.query(`select 1 from ${table} where company_id = ${device.companyId}`)).rows).toEqual([])
      await expect(client.query('select 1 from readings_2026_11')).rejects.toThrow('permission denied')
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

describe('commands', () => {
  const insertCommand = (device: TestDevice, kind: string, value: unknown) =>
    pipeline.change(
      device.companyId,
      'insert into device_commands (company_id, device_id, kind, value) values ($1, $2, $3, $4)',
      [device.companyId, device.id, kind, JSON.stringify(value)],
    )
  const setting = async (device: TestDevice) =>
    (await pipeline.rows('select * from devices where id = $1', [device.id]))[0]

  test('come with every answer until the device has confirmed, and then become its settings', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { temperatureC: 4 })
    await insertCommand(device, 'interval', { intervalS: 300 })
    const { commands } = (await pipeline.post(device, { temperatureC: 5 })).answer
    expect(commands).toMatchObject([{ kind: 'interval', value: { intervalS: 300 } }])
    expect((await pipeline.post(device, { temperatureC: 5 })).answer.commands).toEqual(commands)
    expect(await setting(device)).toMatchObject({ interval_s: 180 })
    expect(
      (await pipeline.rows('select sent_at from device_commands where device_id = $1', [device.id]))[0]?.sent_at,
    ).not.toBeNull()
    const acks = [{ commandId: commands[0]?.commandId, at: at(0), ok: true }]
    expect((await pipeline.post(device, { readings: [], acks })).answer).toMatchObject({
      accepted: 0,
      rejected: [],
      commands: [],
    })
    expect(await setting(device)).toMatchObject({ interval_s: 300 })
    expect((await pipeline.post(device, { temperatureC: 6 })).answer.commands).toEqual([])
  })

  test('that the device refuses change nothing, and neither do answers to commands of others', async () => {
    const [device, other] = [await pipeline.device(), await pipeline.device()]
    await insertCommand(device, 'transmission', { state: 'paused' })
    const [command] = (await pipeline.post(device, { temperatureC: 5 })).answer.commands
    await pipeline.post(other, { acks: { commandId: command?.commandId, ok: true } })
    expect(await setting(device)).toMatchObject({ transmission: 'started' })
    expect((await pipeline.post(device, { temperatureC: 5 })).answer.commands).toHaveLength(1)
    await pipeline.post(device, { acks: { commandId: command?.commandId, ok: false } })
    expect(await setting(device)).toMatchObject({ transmission: 'started' })
    expect((await pipeline.post(device, { temperatureC: 5 })).answer.commands).toEqual([])
  })

  test('answers that make no sense are kept as rejected', async () => {
    const device = await pipeline.device()
    const { answer } = await pipeline.post(device, {
      acks: [{ commandId: '1; drop', ok: true }, 7, { commandId: '1' }],
    })
    expect(answer.rejected.map((row) => row.code)).toEqual(['INVALID', 'INVALID', 'INVALID'])
  })
})

describe('limits', () => {
  test('a change of limits judges the very next reading, and leaves those before as they were', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { at: at(20), temperatureC: 7 })
    await setLimits(pipeline, device, { temperatureMaxC: 5 }, new Date(at(15)))
    await pipeline.post(device, { at: at(14), temperatureC: 7 })
    await pipeline.post(device, { at: at(16), temperatureC: 7 })
    expect(
      await pipeline.rows('select start_at, peak_centi from excursions where device_id = $1', [device.id]),
    ).toEqual([{ start_at: new Date(at(14)), peak_centi: 700 }])
  })

  test('a change of limits reaches a reading of a clock that was ahead of it', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { at: at(-1), temperatureC: 7 })
    await setLimits(pipeline, device, { temperatureMaxC: 5 }, new Date(at(0)))
    await pipeline.post(device, { at: at(-2), temperatureC: 4 })
    expect(await pipeline.rows('select start_at, end_at from excursions where device_id = $1', [device.id])).toEqual([
      { start_at: new Date(at(-1)), end_at: new Date(at(-2)) },
    ])
  })

  test('the past can be judged again by limits that were put there', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { readings: [30, 27, 24, 21].map((ago) => ({ at: at(ago), temperatureC: 7 })) })
    await setLimits(pipeline, device, { temperatureMaxC: 5 }, new Date(at(28)))
    await pipeline.pipeline.recompute(device.companyId, device.id, Date.parse(at(28)), Date.parse(at(0)))
    expect(
      await pipeline.rows('select start_at, readings, end_at from excursions where device_id = $1', [device.id]),
    ).toEqual([{ start_at: new Date(at(27)), readings: 3, end_at: null }])
    await pipeline.post(device, { at: at(18), temperatureC: 4 })
    expect(await pipeline.rows('select readings, end_at from excursions where device_id = $1', [device.id])).toEqual([
      { readings: 3, end_at: new Date(at(18)) },
    ])
  })
})
