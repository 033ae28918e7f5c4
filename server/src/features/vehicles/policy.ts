import { plateKey } from '@isotherm/contract/vehicles.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { findClash } from './queries.ts'

/** Refuses the plate of another vehicle than `but`. Call it with the plates locked. Throws PLATE_TAKEN. */
export async function refuseTaken(ctx: Context, plate: string, but: string | null): Promise<void> {
  const clash = await findClash(ctx, { plateKey: plateKey(plate), deviceId: null, but })
  if (clash) throw new AppError('PLATE_TAKEN', { name: clash.name })
}

/** The id of a device that the person sees and that is fixed in no other vehicle than `but`. Call it with the plates locked. Throws VALIDATION. */
export async function freeTracker(ctx: Context, deviceId: string | null, but: string | null): Promise<number | null> {
  if (deviceId === null) return null
  const id = await visibleId(ctx, deviceId)
  if (id === null) throw invalidField('deviceId', 'rule.unknownItem')
  const clash = await findClash(ctx, { plateKey: null, deviceId: id, but })
  if (clash) throw invalidField('deviceId', 'trackerTaken', { name: clash.name })
  return id
}

async function visibleId(ctx: Context, deviceId: string): Promise<number | null> {
  try {
    const { id, isDecommissioned, isSample } = await findVisible(ctx, deviceIdOf(deviceId))
    return isDecommissioned || isSample ? null : id
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
