import { type CaptureServer, openCapture } from '@isotherm/simulator/epcis/capture.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changing } from '../../../test/changed.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'
import { sweepPushes } from './jobs.ts'

const t = describeApp({ webhookAllowPrivate: true })
const minute = 60_000

interface Sender {
  admin: TestUser
  capture: CaptureServer
  shipmentId: string
}
let [slow, good]: Sender[] = []
beforeEach(async () => {
  ;[slow, good] = [await aSender(), await aSender()]
})
afterEach(() => Promise.all([slow?.capture.close(), good?.capture.close()]))

/** A company with a shipment that has departed, whose document is on its way to a receiver. */
async function aSender(): Promise<Sender> {
  const [admin, capture] = [await buildUser(t), await openCapture()]
  const { companyId, token } = admin
  await t.change(
    companyId,
    'insert into export_settings (company_id, capture_url, updated_at) values ($1, $2, now())',
    [companyId, capture.url],
  )
  const at = new Date(t.clock.now().getTime() - 60 * minute)
  const { id: shipmentId, legs } = await aShipment(t, admin, {
    state: 'ongoing',
    legs: [{ container_no: 'CSQU3054383', from_port: 'ZACPT', to_port: 'NLRTM' }],
    more: { started_at: at },
  })
  await changing(t.pool, companyId, ({ tx }) =>
    insertShipmentEvent(
      { tx, companyId },
      {
        ...{ shipment_id: shipmentId, leg_id: legs[0]?.id ?? null, kind: 'departed', occurred_at: at },
        ...{ recorded_at: at, occurred_zone: 'UTC', source: 'person', by_name: 'Thandi' },
      },
    ),
  )
  const asked = await t.call('POST', `/export/shipments/${shipmentId}/epcis/pushes`, { token })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  return { admin, capture, shipmentId }
}

const sweep = () => sweepPushes.run(t.services, {})
const stateOf = async ({ admin, shipmentId }: Sender) =>
  (await t.call('GET', `/export/shipments/${shipmentId}/epcis/pushes`, { token: admin.token })).body.payload[0].state

test('a receiver that says nothing holds up the pushes of no other company', async () => {
  if (!slow || !good) throw new Error('there are no senders')
  const sender = good
  slow.capture.mode = 'hangs'
  const swept = sweep()
  await vi.waitFor(async () => expect(await stateOf(sender)).toBe('sent'), 15_000)
  expect(await stateOf(slow)).toBe('waiting')
  await slow.capture.close()
  await swept
})

test('however many pushes of one company are due, those of others are sent in the same minute', async () => {
  if (!slow || !good) throw new Error('there are no senders')
  const { companyId } = slow.admin
  await t.change(
    companyId,
    `insert into epcis_pushes (company_id, shipment_id, state, events, file_key, sha256, url, next_at, created_at, created_by_name)
      select company_id, $2, 'waiting', 1, 'epcis/00/' || md5(n::text) || '.json', sha256, url, next_at - interval '1 hour', created_at, ''
      from epcis_pushes cross join generate_series(1, 60) n where company_id = $1`,
    [companyId, slow.shipmentId],
  )
  await sweep()
  expect(await stateOf(good)).toBe('sent')
})
