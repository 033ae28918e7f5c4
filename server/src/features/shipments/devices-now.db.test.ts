import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { joiningScene } from '../../../test/joining-scene.ts'

const t = describeApp()
const pipeline = describePipeline(t)

/** Seven devices on a shipment, of which the list tells at 240 min: one was taken off, one is private, and one was never heard of. */
async function scene() {
  const s = await joiningScene(t, pipeline)
  const [fine, warm, late] = [await s.device('Fine'), await s.device('Warm'), await s.device('Late')]
  const [gone, lent, fresh] = [await s.device('Gone'), await s.device('Lent'), await s.device('New')]
  const office = await s.device('Office', { visibility: 'private' })
  const stay = [fine, warm, late, gone, fresh, office]
  const id = await s.started([...stay, lent])
  await s.measures(gone, 0, 60, 12)
  await s.measures(lent, 0, 60, 12)
  await s.has(id, 65, ...stay)
  await s.measures(late, 70, 225, 12)
  for (const one of [warm, lent, office]) await s.measures(one, 70, 240, 12)
  await s.measures(fine, 70, 240, 5)
  return { ...s, id }
}

test('a shipment under way tells how many of its devices are out of range, silent and in range, each once', async () => {
  const s = await scene()
  expect(await s.listed(s.id)).toMatchObject({
    ...{ deviceCount: 6, hiddenDevices: 0 },
    devicesNow: { outOfRange: 3, silent: 1, inRange: 1 },
  })
  expect((await s.details(s.id)).devicesNow).toEqual({ outOfRange: 3, silent: 1, inRange: 1 })
})

test('a device that somebody may not see is in none of the counts', async () => {
  const s = await scene()
  const manager = await buildUser(t, { company: s.admin, role: 'manager' })
  const { body } = await t.call('GET', '/export/shipments', { token: manager.token })
  expect(body.payload.data).toMatchObject([
    { deviceCount: 5, hiddenDevices: 1, devicesNow: { outOfRange: 2, silent: 1, inRange: 1 } },
  ])
})

test('a shipment that is not under way tells nothing of its devices now', async () => {
  const s = await scene()
  await s.complete(s.id, 250)
  expect((await s.listed(s.id)).devicesNow).toBeNull()
})
