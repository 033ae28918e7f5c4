import type { TenantTx } from '../../../platform/context.ts'
import { devicesOn } from '../shipment-queries.ts'
import { type CarriedDevice, lockCarried } from './act-queries.ts'

/** The devices on a shipment, locked by id until the transaction ends. */
export const lockDevicesOf = async (ctx: TenantTx, shipmentId: string): Promise<CarriedDevice[]> =>
  lockCarried(
    ctx,
    shipmentId,
    (await devicesOn(ctx, shipmentId)).map(({ device_id }) => device_id),
  )
