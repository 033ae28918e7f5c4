import { describe, expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'

const pipeline = describeIngest()

const minute = 60_000
const at = (minutesAgo: number) => new Date(Date.parse('2026-11-20T12:00:00Z') - minutesAgo * minute).toISOString()
const send = (device: TestDevice, ...values: [minutesAgo: number, temperatureC: number, humidityPct?: number][]) =>
  pipeline.post(device, {
    readings: values.map(([ago, temperatureC, humidityPct]) => ({ at: at(ago), temperatureC, humidityPct })),
  })
const excursions = (device: TestDevice) =>
  pipeline.rows(
    `select id, measure, side, start_at, end_at, ended_by, readings, peak_centi, late, amended_at is not null as amended
     from excursions where (company_id, device_id) = ($1, $2) order by start_at, measure`,
    [device.companyId, device.id],
  )
const time = (ago: number) => new Date(at(ago))

describe('an excursion', () => {
  test('is written when it starts, grows while it lasts, and ends at the first reading back inside', async () => {
    const device = await pipeline.device()
    const events = pipeline.listen(device.companyId)
    await send(device, [6, 9])
    expect(await excursions(device)).toMatchObject([{ side: 'above', start_at: time(6), end_at: null, readings: 1 }])
    await send(device, [3, 10])
    await send(device, [0, 8])
    const found = await excursions(device)
    expect(found).toMatchObject([
      {
        start_at: time(6),
        end_at: time(0),
        ended_by: 'inside',
        readings: 2,
        peak_centi: 1000,
        late: false,
        amended: false,
      },
    ])
    expect(events.filter(({ kind }) => kind === 'excursion').map(({ data }) => data)).toMatchObject([
      { id: found[0]?.id, state: 'started', startAt: at(6), endAt: null, peak: 9 },
      { id: found[0]?.id, state: 'ended', startAt: at(6), endAt: at(0), peak: 10 },
    ])
  })

  test('of humidity stands beside one of temperature', async () => {
    const device = await pipeline.device({ limits: { temperatureMinC: 2, temperatureMaxC: 8, humidityMaxPct: 60 } })
    await send(device, [6, 9, 70], [3, 9, 50], [0, 5, 50])
    expect(await excursions(device)).toMatchObject([
      { measure: 'humidity', end_at: time(3), peak_centi: 7000 },
      { measure: 'temperature', end_at: time(0), peak_centi: 900 },
    ])
  })

  test('that was over before it was known is marked late', async () => {
    const device = await pipeline.device()
    await send(device, [300, 9], [297, 9], [294, 5])
    expect(await excursions(device)).toMatchObject([
      { start_at: time(300), end_at: time(294), late: true, amended: false },
    ])
  })
})

describe('a late reading', () => {
  test('in the middle of an excursion, inside the limits, splits it; the first part stays what it was', async () => {
    const device = await pipeline.device()
    await send(device, [12, 9], [9, 9], [3, 9], [0, 5])
    const [whole] = await excursions(device)
    await send(device, [6, 5])
    expect(await excursions(device)).toMatchObject([
      { id: whole?.id, start_at: time(12), end_at: time(6), readings: 2, amended: true },
      { start_at: time(3), end_at: time(0), readings: 1, late: false, amended: false },
    ])
  })

  test('that fills a gap joins two into one, and tells so', async () => {
    const device = await pipeline.device()
    await send(device, [30, 9], [15, 9], [12, 5])
    const [first, second] = await excursions(device)
    expect(first).toMatchObject({ ended_by: 'gap', end_at: time(21) })
    const events = pipeline.listen(device.companyId)
    await send(device, [22, 11])
    expect(await excursions(device)).toMatchObject([
      { id: first?.id, start_at: time(30), end_at: time(12), readings: 3, peak_centi: 1100, amended: true },
    ])
    expect(events.filter(({ kind }) => kind === 'excursion').map(({ data }) => data)).toMatchObject([
      { id: second?.id, state: 'removed' },
      { id: first?.id, state: 'amended', peak: 11 },
    ])
  })

  test('before an excursion, outside too, makes it start earlier', async () => {
    const device = await pipeline.device()
    await send(device, [9, 5], [3, 9], [0, 9])
    const [known] = await excursions(device)
    await send(device, [6, 12])
    expect(await excursions(device)).toMatchObject([
      { id: known?.id, start_at: time(6), end_at: null, readings: 3, peak_centi: 1200, amended: true },
    ])
    await send(device, [-1, 5])
    expect(await excursions(device)).toMatchObject([{ id: known?.id, end_at: time(-1), readings: 3 }])
  })

  test('alone outside is an excursion of its own, marked late', async () => {
    const device = await pipeline.device()
    await send(device, [303, 5], [297, 5], [0, 5])
    await send(device, [300, 9])
    expect(await excursions(device)).toMatchObject([
      { start_at: time(300), end_at: time(297), late: true, amended: false },
    ])
  })

  test('far back in a long excursion is found a place although more must be read', async () => {
    const device = await pipeline.device()
    const long = Array.from({ length: 600 }, (_, index): [number, number] => [1800 - index * 3, 9])
    await send(device, ...long)
    await send(device, [1799, 12])
    await send(device, [0, 5])
    expect(await excursions(device)).toMatchObject([
      { start_at: time(1800), readings: 601, peak_centi: 1200, end_at: time(0) },
    ])
  })

  test('changes the hours it touches only', async () => {
    const device = await pipeline.device()
    await send(device, [130, 5], [125, 6], [65, 4], [5, 3])
    await send(device, [121, 8])
    expect(
      await pipeline.rows(
        `select n, temperature_n, temperature_max_centi, temperature_covered_ms::int as covered from readings_hourly
         where device_id = $1 order by bucket`,
        [device.id],
      ),
    ).toEqual([
      { n: 3, temperature_n: 3, temperature_max_centi: 800, covered: 18 * minute },
      { n: 1, temperature_n: 1, temperature_max_centi: 400, covered: 9 * minute },
      { n: 1, temperature_n: 1, temperature_max_centi: 300, covered: 0 },
    ])
  })
})
