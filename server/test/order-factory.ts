import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { OrderPattern } from '@isotherm/contract/order-templates.ts'
import { insertHandOver, photosOf } from '../src/core/orders/hand-over-queries.ts'
import { type DeviceDraft, insertOrder, type ReceiverDraft } from '../src/core/orders/insert-order.ts'
import { type OrderRow, type ReceiverRow, receiversOf } from '../src/core/orders/order-queries.ts'
import { insertWarnings } from '../src/core/orders/warning-queries.ts'
import { trackingCodeOf } from '../src/domain/tracking-code.ts'
import { openFiles } from '../src/platform/files/files.ts'
import { changing } from './changed.ts'
import type { Stage } from './factories.ts'
import type { TestApp } from './harness.ts'

/** Two places in Lagos, eleven kilometres apart. */
export const ikeja = { lat: 6.6018, lon: 3.3515 }
export const apapa = { lat: 6.4489, lon: 3.3592 }
const zone = 'Africa/Lagos'

interface OrderOptions {
  companyId: number
  deviceIds?: number[]
  role?: 'cargo' | 'vehicle'
  driverId?: string | null
  vehicleId?: string | null
  receivers?: Partial<ReceiverDraft>[]
  /** Any other columns of the order. */
  more?: Partial<Parameters<typeof insertOrder>[1]>
}

export interface MadeOrder extends OrderRow {
  receivers: ReceiverRow[]
}

let count = 0

const aReceiver = (index: number, more: Partial<ReceiverDraft> = {}): ReceiverDraft => ({
  name: `Receiver ${index + 1}`,
  ...{ address: 'Apapa', ...apapa, radius_m: 150, zone, country: 'NG' },
  items: [{ name: 'Vaccine box', quantity: 2, unit_count: 10, weight_g: 4_000, worth: 50_000 }],
  ...more,
})

/** An order as its verb leaves it: new, to one receiver tomorrow, where nothing else is said. */
export async function anOrder(test: Stage, given: OrderOptions): Promise<MadeOrder> {
  const { companyId, deviceIds = [], role = 'cargo', receivers = [{}] } = given
  count += 1
  const now = test.clock.now()
  const devices: DeviceDraft[] = deviceIds.map((device_id) => ({ device_id, role, receiver: null }))
  return changing(test.pool, companyId, async ({ tx }) => {
    const row = await insertOrder(
      { tx, companyId },
      {
        tracking_code: trackingCodeOf(randomBytes(5)),
        reference: `Order ${count}`,
        sender: JSON.stringify({
          ...{ contactId: null, name: 'Cold Store', company: null, email: null, phone: null, address: 'Ikeja' },
        }),
        ...{ pickup_address: 'Ikeja', pickup_lat: ikeja.lat, pickup_lon: ikeja.lon, pickup_radius_m: 150 },
        ...{ pickup_zone: zone, pickup_country: 'NG' },
        deliver_by: new Date(now.getTime() + 86_400_000),
        ...{ driver_id: given.driverId ?? null, vehicle_id: given.vehicleId ?? null },
        ...{ created_at: now, created_by: '1', created_by_name: 'Somebody', updated_at: now },
        ...given.more,
      },
      receivers.map((one, index) => aReceiver(index, one)),
      devices,
    )
    return { ...row, receivers: await receiversOf({ tx, companyId }, [row.id]) }
  })
}

/** A hand-over to the first receiver of an order, of a new one where none is given, with a signature, a photo and a receipt. */
export async function aHandOver(
  test: TestApp,
  { companyId, orderId }: { companyId: number; orderId?: string | undefined },
): Promise<{ id: string; photoId: string; receiverId: string }> {
  const order = orderId ?? (await anOrder(test, { companyId })).id
  const now = test.clock.now()
  const file = await openFiles(test.services.config).begin('handovers', 'png')
  await writeFile(file.path, 'drawn')
  await file.keep()
  return changing(test.pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const [receiver] = await receiversOf(ctx, [order])
    const receiverId = receiver?.id ?? ''
    const { id } = await insertHandOver(
      ctx,
      {
        ...{ order_id: order, receiver_id: receiverId, outcome: 'delivered', source: 'person' },
        ...{ occurred_at: now, recorded_at: now, content_sha256: randomBytes(32) },
        verdict: JSON.stringify({ conditions: null, wasShown: false, devices: [], readings: null }),
        ...{ signature_key: file.key, signature_sha256: randomBytes(32) },
        ...{ receipt_key: file.key, receipt_sha256: randomBytes(32) },
      },
      [{ file_key: file.key, type: 'png', size_bytes: 5, sha256: randomBytes(32) }],
    )
    const [photo] = await photosOf(ctx, [id])
    return { id, photoId: photo?.id ?? '', receiverId }
  })
}

/** A warning that an order under way will be late at its first stop, which is due now: whatever the jobs estimate is later. */
export async function anOrderWarning(test: Stage, { companyId }: { companyId: number }): Promise<{ id: string }> {
  const now = test.clock.now()
  const more = { state: 'inProgress', started_at: now }
  const order = await anOrder(test, { companyId, receivers: [{ window_by: now }], more })
  const receiverId = order.receivers[0]?.id ?? null
  return changing(test.pool, companyId, async ({ tx }) => {
    await tx.updateTable('order_receivers').set({ late_told_at: now }).where('id', '=', receiverId).execute()
    const draft = { companyId, orderId: order.id, kind: 'late', receiverId, deviceId: null, detail: {} } as const
    await insertWarnings(tx, [draft], now)
    return tx.selectFrom('order_warnings').select('id').where('order_id', '=', order.id).executeTakeFirstOrThrow()
  })
}

const pattern = OrderPattern.parse({
  sender: { name: 'Cold Store' },
  pickup: { address: 'Ikeja', ...ikeja },
  receivers: [{ name: 'Ada Obi', stop: { address: 'Apapa', ...apapa }, items: [{ name: 'Vaccine box', quantity: 1 }] }],
})

export async function anOrderTemplate(test: Stage, { companyId }: { companyId: number }): Promise<{ id: string }> {
  count += 1
  return changing(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('order_templates')
      .values({
        ...{ company_id: companyId, name: `Template ${count}`, body: JSON.stringify(pattern) },
        ...{ created_at: test.clock.now(), created_by_name: 'Somebody' },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}
