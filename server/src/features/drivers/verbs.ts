import type { DriverChange, DriverState, NewDriver } from '@isotherm/contract/drivers.ts'
import { type PhoneReader, phoneReader } from '../../core/company/phones.ts'
import { closePair } from '../../core/drivers/pair-queries.ts'
import { refuseRunning } from '../../core/orders/running-orders.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { auditSnapshot, target } from './present.ts'
import {
  type DriverRow,
  type DriverValues,
  findDriver,
  insertDriver,
  lockDriver,
  type NewDriverValues,
  updateDriver,
} from './queries.ts'

/** Adds a driver, who is active. Throws QUOTA_EXCEEDED, or VALIDATION where the phone number is none. */
export async function addDriver(ctx: Context, input: NewDriver): Promise<DriverRow> {
  await refuseOverQuota(ctx, 'drivers')
  const row = await findDriver(ctx, await insertDriver(ctx, newValues(input, await phoneReader(ctx))))
  ctx.audit({ action: 'drivers.added', target: target(row), after: auditSnapshot(row) })
  return row
}

/** Changes a driver. Throws NOT_FOUND, CHANGED_MEANWHILE or VALIDATION. */
export async function changeDriver(ctx: Context, id: string, { version, ...input }: DriverChange): Promise<DriverRow> {
  const before = await lockDriver(ctx, id)
  refuseOutdated(before, version)
  await updateDriver(ctx, id, valuesOf(input, await phoneReader(ctx)))
  const after = await findDriver(ctx, id)
  const changes = changesOf(auditSnapshot(before), auditSnapshot(after))
  ctx.audit({ action: 'drivers.changed', target: target(after), ...changes })
  return after
}

/** Activates or deactivates a driver: no order begins with one who is inactive; those in progress go on. Throws NOT_FOUND. */
export async function setDriverStatus(ctx: Context, id: string, status: DriverState): Promise<DriverRow> {
  const before = await lockDriver(ctx, id)
  await updateDriver(ctx, id, { status })
  const action = status === 'active' ? 'drivers.activated' : 'drivers.deactivated'
  ctx.audit({ action, target: target(before), before: { status: before.status }, after: { status } })
  return findDriver(ctx, id)
}

/** Deletes a driver: archived, so that what was driven keeps the name; the vehicle is free again. Throws NOT_FOUND or IN_USE. */
export async function removeDriver(ctx: Context, id: string): Promise<void> {
  const row = await lockDriver(ctx, id)
  await refuseRunning(ctx, 'driver_id', row)
  await closePair(ctx, { driverId: id })
  await updateDriver(ctx, id, { archived_at: ctx.clock.now() })
  ctx.audit({ action: 'drivers.removed', target: target(row), before: auditSnapshot(row) })
}

const phoneValues = (phone: string, readPhone: PhoneReader) => ({
  phone: readPhone(phone, 'phone'),
  phone_typed: phone,
})

export const newValues = ({ name, phone, ...others }: NewDriver, readPhone: PhoneReader): NewDriverValues => ({
  ...valuesOf(others, readPhone),
  ...phoneValues(phone, readPhone),
  name,
})

/** The columns of the fields that are given; kysely leaves out those that are not. */
const valuesOf = ({ name, phone, email, address, ...input }: Partial<NewDriver>, readPhone: PhoneReader) =>
  ({
    ...{ name, email, address },
    ...(phone !== undefined && phoneValues(phone, readPhone)),
    licence_no: input.licenceNo,
    licence_expires_on: input.licenceExpiresOn,
  }) satisfies DriverValues
