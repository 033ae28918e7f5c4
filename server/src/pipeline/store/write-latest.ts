import type { Batch } from '../batch.ts'
import type { DeviceState, Latest } from '../evaluate/device-state.ts'
import { numbers } from './pg-arrays.ts'

type Column = [name: string, type: 'int2' | 'int4' | 'timestamptz', pick: (state: DeviceState) => number | null]
const of = (key: keyof Latest) => (state: DeviceState) => state.latest[key]

const columns: Column[] = [
  ['measured_at', 'timestamptz', of('measuredAt')],
  ['received_at', 'timestamptz', of('receivedAt')],
  ['temperature_centi', 'int2', of('temperatureCenti')],
  ['temperature_at', 'timestamptz', of('temperatureAt')],
  ['humidity_centi', 'int2', of('humidityCenti')],
  ['humidity_at', 'timestamptz', of('humidityAt')],
  ['light_lux', 'int4', of('lightLux')],
  ['light_at', 'timestamptz', of('lightAt')],
  ['battery_pct', 'int2', of('batteryPct')],
  ['battery_at', 'timestamptz', of('batteryAt')],
  ['lat_e7', 'int4', of('latE7')],
  ['lon_e7', 'int4', of('lonE7')],
  ['accuracy_m', 'int4', of('accuracyM')],
  ['position_at', 'timestamptz', of('positionAt')],
  ['clock_ahead_s', 'int4', of('clockAheadS')],
  ['clock_ahead_at', 'timestamptz', of('clockAheadAt')],
  ['temperature_tail_centi', 'int2', ({ series }) => series.temperature.tail?.value ?? null],
  ['temperature_tail_at', 'timestamptz', ({ series }) => series.temperature.tail?.at ?? null],
  ['humidity_tail_centi', 'int2', ({ series }) => series.humidity.tail?.value ?? null],
  ['humidity_tail_at', 'timestamptz', ({ series }) => series.humidity.tail?.at ?? null],
]
const names = columns.map(([name]) => name)

const sql = `
insert into device_latest (company_id, device_id, ${names.join(', ')})
select * from unnest($1::int4[], $2::int4[], ${columns.map(([, type], index) => `$${index + 3}::${type}[]`).join(', ')})
on conflict (company_id, device_id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`

/** Writes where each device of the batch stands now. */
export async function writeLatest({ client, moved }: Batch): Promise<void> {
  if (moved.size === 0) return
  const states = [...moved.keys()]
  const values = [
    numbers('int4', states, ({ device }) => device.companyId),
    numbers('int4', states, ({ device }) => device.id),
    ...columns.map(([, type, pick]) => numbers(type, states, pick)),
  ]
  await client.query({ name: 'write_latest', text: sql, values })
}
