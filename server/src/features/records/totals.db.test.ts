import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, inCompany } from '../../../test/factories.ts'
import { addToRecord, takeOutOfRecord } from '../../core/records/order-record.ts'
import { sweepRecords } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000

/** A device that is warm every ten minutes, with an alarm of more than 20 minutes in total within a record. */
async function scene() {
  const company = await buildCompany(t)
  const { token, id: userId } = await buildUser(t, { company })
  const device = await aDevice(t, { ...company, intervalS: 600, validFrom: new Date('2020-01-01') })
  const start = t.clock.now().getTime()
  const at = (minutes: number) => new Date(start + minutes * minute)
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const answer = await t.call(method, path, { token, ...(body && { body }) })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.payload
  }
  const alarm = await ask('POST', '/alarms/value', {
    name: 'Trip',
    deviceIds: [String(device.id)],
    recipients: [{ userId, channels: ['app'] }],
    rule: { kind: 'value', temperatureMaxC: 8, cumulative: { minutes: 20, window: 'record' } },
  })
  const warm = async (minutes: number) => {
    t.clock.set(at(minutes))
    await pipeline.send(device, [{ at: at(minutes), temperatureC: 9 }])
  }
  const sweep = async (minutes: number) => {
    t.clock.set(at(minutes))
    await sweepRecords.run(t.services, {})
    await pipeline.sweepAlarms()
  }
  const minutesOf = (time: string | null) => time && (Date.parse(time) - start) / minute
  const triggers = async () => {
    const { data } = await ask('GET', `/alarms/${alarm.id}/excursions?states=open,normal`)
    return data.map((one: { breachAt: string; openedAt: string; normalAt: string | null }) =>
      [one.breachAt, one.openedAt, one.normalAt].map(minutesOf),
    )
  }
  const record = (more: object) =>
    ask('POST', '/enterprise/record', { name: `Trip ${device.id}`, deviceIds: [String(device.id)], ...more })
  return { company, at, device, ask, warm, sweep, triggers, record }
}

test('a record that is made and ended by hand begins and ends what cumulative alarms count', async () => {
  const { at, ask, warm, sweep, triggers, record } = await scene()
  await warm(0)
  await warm(10)
  const { id } = await record({ startAt: at(5).toISOString() })
  await warm(20)
  await warm(30)
  expect(await triggers()).toEqual([[5, 25, null]])
  t.clock.set(at(33))
  await ask('PUT', `/enterprise/record/end/${id}`)
  await sweep(34)
  expect(await triggers()).toEqual([[5, 25, 33]])
  await warm(40)
  expect(await triggers()).toEqual([[5, 25, 33]])
})

test('a planned record counts from the instant it is planned for, and a deleted one until it is deleted', async () => {
  const { at, ask, warm, sweep, triggers, record } = await scene()
  const { id } = await record({ startAt: at(15).toISOString() })
  await warm(10)
  await sweep(16)
  await warm(20)
  await warm(30)
  await warm(40)
  expect(await triggers()).toEqual([[15, 35, null]])
  t.clock.set(at(42))
  await ask('DELETE', `/enterprise/record/${id}`)
  await warm(50)
  expect(await triggers()).toEqual([[15, 35, 42]])
})

test('a record counts a device that joins it under way from then on, until it is taken out', async () => {
  const { company, at, device, warm, sweep, triggers, record } = await scene()
  const { companyId } = company
  const other = await aDevice(t, { companyId })
  const { id } = await record({ deviceIds: [String(other.id)] })
  await warm(0)
  await warm(10)
  await inCompany(t, companyId, (ctx) => addToRecord(ctx, id, [device.id], at(15)))
  await warm(20)
  await warm(30)
  await warm(40)
  expect(await triggers()).toEqual([[15, 35, null]])
  await inCompany(t, companyId, (ctx) => takeOutOfRecord(ctx, id, [device.id], at(42)))
  await sweep(43)
  expect(await triggers()).toEqual([[15, 35, 42]])
  await warm(50)
  expect(await triggers()).toEqual([[15, 35, 42]])
})
