import type { Device } from '@isotherm/contract/devices.ts'
import { refuseExpired } from '../../core/company/subscription.ts'
import { countDevices } from '../../core/devices/licence-queries.ts'
import { claimLicence, type Licence } from '../../core/devices/licences.ts'
import { lockDevices } from '../../core/devices/lock-device.ts'
import { normalizeKey } from '../../core/provider/licence-keys.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { usesOf } from './import-queries.ts'

/** A licence with how many more devices it takes, or why it takes none. */
export type Place = { licence: Licence; room: number } | { refusal: AppError }

export const probeKey = (imei: string, probe: number) => `${imei}/${probe}`

/** The company's devices, of those the person may see, by `probeKey` of the hardware they use now; locked in order of id. */
export async function knownDevices(
  ctx: Context,
  devicesByIds: (ctx: Context, ids: number[]) => Promise<Device[]>,
  imeis: string[],
): Promise<Map<string, Device>> {
  if (imeis.length === 0) return new Map()
  const uses = await usesOf(ctx, imeis)
  const ids = uses.map((use) => use.device_id)
  if (ids.length === 0) return new Map()
  await lockDevices(ctx, ids)
  const byId = new Map((await devicesByIds(ctx, ids)).map((device) => [device.id, device]))
  return new Map(
    uses.flatMap(({ imei, probe, device_id }) => {
      const device = byId.get(String(device_id))
      return device ? [[probeKey(imei, probe), device] as const] : []
    }),
  )
}

/** The licences of these keys, by `normalizeKey`; claimed, and locked always in the same order. */
export async function placesOf(ctx: Context, keys: string[]): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  if (keys.length === 0) return places
  const expired = await refusalOf(() => refuseExpired(ctx.tx, ctx.companyId, ctx.clock.now()))
  for (const key of [...new Set(keys.map(normalizeKey))].sort()) places.set(key, expired ?? (await placeOf(ctx, key)))
  return places
}

async function placeOf(ctx: Context, key: string): Promise<Place> {
  try {
    const licence = await claimLicence(ctx, key, ctx.clock.now())
    return { licence, room: licence.devices - (await countDevices(ctx, licence.id)) }
  } catch (error) {
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}

async function refusalOf(work: () => Promise<void>): Promise<{ refusal: AppError } | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}
