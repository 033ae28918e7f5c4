import type { LicenceCheck } from '@isotherm/contract/devices.ts'
import { countDevices } from '../../core/devices/licence-queries.ts'
import { findKey, keyHash } from '../../core/provider/licence-keys.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { licenceOfKey } from './change-queries.ts'

/** Shows what a key would be good for, without claiming it. */
export async function checkLicence(ctx: Context, text: string): Promise<LicenceCheck> {
  const key = await withLogin(ctx.tx, () => findKey(ctx.tx, text))
  if (!key) return { state: 'unknown', devices: null, devicesFree: null, months: null, expiresAt: null }
  const { devices, months } = key
  if (key.companyId === null) return { state: 'free', devices, devicesFree: devices, months, expiresAt: null }
  if (key.companyId !== ctx.companyId) return { state: 'used', devices, devicesFree: 0, months, expiresAt: null }
  const licence = await licenceOfKey(ctx, keyHash(text))
  const devicesFree = Math.max(0, devices - (await countDevices(ctx, licence.id)))
  const now = ctx.clock.now()
  const state = licence.expires_at <= now ? 'expired' : devicesFree > 0 ? 'free' : 'used'
  // A licence that has not begun ends later the later it begins.
  const expiresAt = licence.starts_at > now ? null : licence.expires_at.toISOString()
  return { state, devices, devicesFree, months, expiresAt }
}
