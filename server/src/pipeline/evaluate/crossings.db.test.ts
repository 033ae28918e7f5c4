import { expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { buildUser, only, setMatrix } from '../../../test/factories.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { buildGeofence } from '../../../test/place-factory.ts'
import { createLog } from '../../platform/log/log.ts'
import { deliver, type OutboundMessage } from '../notify/deliver.ts'
import { dispatch } from '../notify/dispatch.ts'
import { textsOf } from '../notify/messages.ts'

const pipeline = describeIngest()

const start = Date.parse('2026-11-20T09:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000)
const sent: OutboundMessage[] = []
const sender = {
  async send(delivery: OutboundMessage) {
    sent.push(delivery)
    return { ok: true as const, provider: 'test', providerId: null }
  },
}
const tools = () => ({
  pool: pipeline.pool,
  bus: pipeline.bus,
  now: () => pipeline.clock.now(),
  nearestTownName: () => 'Lagos',
  publicUrl: 'https://cold.test',
  log: createLog('silent'),
  senders: { mail: sender, sms: sender, chat: sender, webhook: sender, push: sender },
})
async function rounds() {
  while ((await dispatch(tools())) > 0);
  while ((await deliver(tools())) > 0);
}

interface Flags {
  notifyIn?: boolean
  notifyOut?: boolean
  visibility?: 'private' | 'public'
}

/** A company with a depot of 1 km, a device, and three people: an Admin who wants mails, a Staff member, one who sees no devices. */
async function scene({ notifyIn = true, notifyOut = true, visibility = 'public' }: Flags = {}) {
  pipeline.clock.set(at(60).toISOString())
  sent.length = 0
  const companyId = await pipeline.company()
  const device = await pipeline.device({ companyId, visibility })
  for (const role of ['admin', 'staff', 'manager'] as const)
    await buildUser(pipeline, { company: { companyId }, role, settings: { place_mail: role === 'admin' } })
  await setMatrix(pipeline, companyId, 'manager', only())
  const area = { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 1000 } as const
  await buildGeofence(pipeline, { companyId, name: 'Depot', area, notifyIn, notifyOut, createdAt: at(-10_000) })
  const lines = async () =>
    (
      await pipeline.rows<{ kind: string; role: string }>(
        `select n.kind, u.role from notifications n join users u on u.company_id = n.company_id and u.id = n.user_id
         where n.company_id = $1 order by n.at, n.id`,
        [companyId],
      )
    ).map(({ kind, role }) => `${role} ${kind}`)
  const crossings = () =>
    pipeline.rows<{ direction: string; at: Date; late: boolean }>(
      'select direction, at, late from place_crossings where company_id = $1 order by at',
      [companyId],
    )
  return { companyId, device, lines, crossings }
}

const inside = 3.4
const outside = 3.45
const send = (device: TestDevice, ...fixes: [minutes: number, lon: number, accuracyM?: number][]) =>
  pipeline.post(device, {
    readings: fixes.map(([minutes, lon, accuracyM = 5]) => ({
      at: at(minutes).toISOString(),
      lat: 6.5,
      lon,
      accuracyM,
    })),
  })

test('a device that comes in or goes out is told in-app to all who may see it, and by mail to those who want it', async () => {
  const { device, lines } = await scene()
  await send(device, [57, outside], [58, inside])
  await rounds()
  await rounds()
  expect((await lines()).sort()).toEqual(['admin placeEntered', 'staff placeEntered'])
  expect(sent.map(({ payload, locale }) => textsOf(payload, locale).line)).toEqual([
    expect.stringContaining('Fridge came into Depot at'),
  ])
  await send(device, [59, outside])
  await rounds()
  expect((await lines()).sort()).toEqual([
    'admin placeEntered',
    'admin placeLeft',
    'staff placeEntered',
    'staff placeLeft',
  ])
})

test('only the direction that was asked for is told, and a private device to Admins only', async () => {
  const { device, lines } = await scene({ notifyOut: false, visibility: 'private' })
  await send(device, [50, outside], [53, inside], [56, outside])
  await rounds()
  expect(await lines()).toEqual(['admin placeEntered'])
})

test('where a device was when it was first seen, or when the border was moved, is no crossing; jitter at the border is none', async () => {
  const { companyId, device, crossings } = await scene()
  await send(device, [0, inside])
  // The border lies 1 km, some 0.009 degrees, east of the centre.
  await send(device, [3, 3.4089, 80], [6, 3.4092, 80], [9, 3.4089, 80], [12, inside])
  expect(await crossings()).toEqual([])
  await pipeline.change(
    companyId,
    `update geofences set area = jsonb_set(area, '{centre,lon}', '3.45'), updated_at = $2 where company_id = $1`,
    [companyId, at(13)],
  )
  await send(device, [15, inside])
  expect(await crossings()).toEqual([])
  await send(device, [18, outside])
  expect(await crossings()).toMatchObject([{ direction: 'in' }])
})

test('a visit that late data shows is told once and marked late; one that is known is not told again', async () => {
  const { device, crossings, lines } = await scene()
  await send(device, [0, outside], [59, inside])
  await rounds()
  expect(await crossings()).toMatchObject([{ direction: 'in', late: false }])
  await send(device, [10, outside], [20, inside], [30, outside], [58, outside])
  await rounds()
  expect((await crossings()).map(({ direction, late }) => [direction, late])).toEqual([
    ['in', true],
    ['out', true],
    ['in', false],
  ])
  await send(device, [25, inside], [57, outside])
  await rounds()
  expect(await crossings()).toHaveLength(3)
  expect((await lines()).filter((line) => line.startsWith('staff'))).toHaveLength(3)
})

test('passing through between two fixes is in and out', async () => {
  const { device, crossings } = await scene()
  await send(device, [54, 3.35], [57, 3.45])
  expect((await crossings()).map(({ direction }) => direction)).toEqual(['in', 'out'])
})
