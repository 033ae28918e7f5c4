import { describe, expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { notifyStage } from '../../../test/notify-scene.ts'
import { writeHandled } from '../../core/alarms/trigger-sql.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const pipeline = describeIngest()
const { sent, rounds, scene, breach } = notifyStage(() => pipeline)

const minute = 60_000
const told = () => sent.map(({ event }) => event)

/** A trigger that somebody resolved while its peak was 12.3 °C (limit 8.0). */
async function resolvedOutside(more = '') {
  const { companyId, device } = await scene([{ channels: ['mail'] }], { more })
  const rowNow = async () =>
    (await pipeline.rows('select * from alarm_triggers where company_id = $1 order by id', [companyId])) as unknown as {
      id: string
      acknowledged_at: Date | null
      resolved_at: Date | null
      resolved_by: object | null
      resolved_peak: number | null
      refired_at: Date | null
      normal_at: Date | null
    }[]
  const read = async (temperatureC: number) => {
    pipeline.clock.advance(minute)
    await breach(device, temperatureC)
    await rounds()
  }
  const resolve = async () => {
    const ids = (await rowNow()).map(({ id }) => id)
    const by = { id: null, name: 'Amina' }
    await inTenant(pipeline.pool, companyId, ({ tx }) =>
      writeHandled.resolve(tx, companyId, ids, { by, note: 'Door was open', now: pipeline.clock.now() }),
    )
  }
  await read(9)
  await read(12.3)
  await resolve()
  return { companyId, device, rowNow, read, resolve }
}

describe('a trigger that was resolved while its value is outside', () => {
  test('stays resolved while it is not clearly worse', async () => {
    const { rowNow, read } = await resolvedOutside()
    for (const temperatureC of [12.3, 12.8, 11, 12.8]) await read(temperatureC)
    expect(told()).toEqual(['opened'])
    expect(await rowNow()).toMatchObject([{ resolved_peak: 1230, refired_at: null, resolved_by: { name: 'Amina' } }])
  })
  test('fires again once when it gets worse, and asks for somebody again', async () => {
    const { rowNow, read } = await resolvedOutside()
    await read(12.9)
    expect(told()).toEqual(['opened', 'worsened'])
    expect(await rowNow()).toMatchObject([{ acknowledged_at: null, resolved_at: null, resolved_by: null }])
    expect((await rowNow())[0]?.refired_at).toEqual(pipeline.clock.now())
    await read(14)
    expect(told()).toEqual(['opened', 'worsened'])
  })
  test('may be resolved again; the peak of then counts', async () => {
    const { read, resolve } = await resolvedOutside()
    await read(13)
    await resolve()
    await read(13.4)
    expect(told()).toEqual(['opened', 'worsened'])
    await read(13.6)
    expect(told()).toEqual(['opened', 'worsened', 'worsened'])
  })
  test('is silent where it is back to normal first, and worse later: that is another trigger', async () => {
    const { rowNow, read } = await resolvedOutside()
    await read(5)
    await read(13)
    expect(told()).toEqual(['opened', 'normal', 'opened'])
    expect(await rowNow()).toHaveLength(2)
  })
  test('is shelved where its alarm is snoozed', async () => {
    const { companyId, rowNow, read } = await resolvedOutside()
    await pipeline.change(companyId, `update alarms set snoozed_until = $2 where company_id = $1`, [
      companyId,
      new Date(pipeline.clock.now().getTime() + 60 * minute),
    ])
    await read(13)
    expect(told()).toEqual(['opened'])
    expect(await rowNow()).toMatchObject([{ resolved_at: null, shelved: true }])
  })
})
