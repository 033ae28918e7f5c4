import { expect, onTestFinished, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { given, joiningScene } from '../../../test/joining-scene.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const waiting = async (count: number) =>
  vi.waitUntil(
    async () => {
      const { rows } = await t.pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
      return rows.length >= count
    },
    { timeout: 10_000 },
  )

test('two shipments whose legs and devices are saved at once, and that give each other a device, do not block each other', async () => {
  const s = await joiningScene(t, pipeline)
  const [low, high] = [await s.device('Low'), await s.device('High')]
  const [one, other] = [await s.started([high]), await s.started([low])]
  const edit = async (id: string, device: typeof low) => {
    const { version, legs } = await s.details(id)
    const sent = legs.map(({ id: legId, mode, fromName, toName }) => ({ id: legId, mode, fromName, toName }))
    const body = { version, legs: sent, devices: given(device) }
    return () => t.call('PATCH', `/export/shipments/${id}`, { token: s.admin.token, body })
  }
  const [ofOne, ofOther] = [await edit(one, low), await edit(other, high)]
  const holder = await t.pool.connect()
  onTestFinished(async () => {
    await holder.query('rollback')
    holder.release()
  })
  await holder.query('begin')
  await holder.query('set local role pipeline')
  const { rowCount } = await holder.query('select from devices where id = $1 for no key update', [low.id])
  expect(rowCount).toBe(1)
  // Both come to wait for the lower device, in this order.
  const second = ofOther()
  await waiting(1)
  const first = ofOne()
  await waiting(2)
  await holder.query('commit')
  const codes = (await Promise.all([first, second])).map(({ body }) => body.code)
  expect(codes).toEqual(['DEVICE_ON_SHIPMENT', 'DEVICE_ON_SHIPMENT'])
})
