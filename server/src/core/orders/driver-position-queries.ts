import type { PhonePosition } from '@isotherm/contract/order-links.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { OrderRow } from './order-queries.ts'

/** An order keeps no more: days of driving. */
const perOrder = 5_000

/** Keeps positions of an order's driver, those between the start and the end; of one instant the first. */
export async function insertPositions(
  { tx, companyId }: TenantTx,
  order: Pick<OrderRow, 'id' | 'started_at' | 'ended_at' | 'cancelled_at'>,
  driverId: string,
  { positions, now, latest }: { positions: readonly PhonePosition[]; now: Date; latest: Date },
): Promise<void> {
  const until = order.ended_at ?? order.cancelled_at ?? latest
  await allRows(tx)`
    insert into driver_positions (company_id, order_id, driver_id, at, lat_e7, lon_e7, accuracy_m, recorded_at)
    select ${companyId}, ${order.id}::int8, ${driverId}::int8, least(p.at, ${now}::timestamptz), round(p.lat * 1e7), round(p.lon * 1e7),
      round(p.accuracy), ${now}::timestamptz
    from unnest(${positions.map(({ at }) => new Date(at))}::timestamptz[], ${positions.map(({ lat }) => lat)}::float8[],
      ${positions.map(({ lon }) => lon)}::float8[], ${positions.map(({ accuracyM }) => accuracyM)}::float8[]) as p (at, lat, lon, accuracy)
    where p.at >= ${order.started_at}::timestamptz and p.at <= ${until}::timestamptz
      and (select count(*) from driver_positions k where k.company_id = ${companyId} and k.order_id = ${order.id}::int8) < ${perOrder}
    on conflict do nothing returning at`
}

/** Forgets what the phone of a driver told of an order. */
export const forgetPositions = async (
  { tx, companyId }: TenantTx,
  orderId: string,
  driverId: string,
): Promise<void> => {
  await allRows(tx)`
    delete from driver_positions where company_id = ${companyId} and order_id = ${orderId}::int8 and driver_id = ${driverId}::int8
    returning at`
}

/** Forgets positions of orders that were over before an instant. As pipeline. */
export const forgetOldPositions = (tx: Tx, before: Date): Promise<unknown[]> =>
  allRows(tx)`
    delete from driver_positions p using orders o
    where o.company_id = p.company_id and o.id = p.order_id and coalesce(o.ended_at, o.cancelled_at) < ${before}
    returning p.at`

/** Sets since when a driver agrees that the phone tells its position; null: not any more. False where nothing changes. */
export const setAgreement = async ({ tx, companyId }: TenantTx, linkId: string, at: Date | null): Promise<boolean> =>
  (await firstRow(tx)`
    update order_links set position_agreed_at = ${at}
    where company_id = ${companyId} and id = ${linkId}::int8 and (position_agreed_at is null) = ${at !== null} returning id`) !==
  undefined

/** Whether a link's driver agrees that the phone tells its position. */
export const isAgreed = async ({ tx, companyId }: TenantTx, linkId: string): Promise<boolean> =>
  (
    await firstRow<{ is: boolean }>(tx)`
      select position_agreed_at is not null as is from order_links where company_id = ${companyId} and id = ${linkId}::int8`
  )?.is ?? false
