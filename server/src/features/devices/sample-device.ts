import { DeviceSetup } from '@isotherm/contract/devices.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { releaseHardware } from '../../core/devices/assignments.ts'
import { updateDevice } from '../../core/devices/device-queries.ts'
import { isPrivate, targetOf } from '../../core/devices/lock-device.ts'
import { lockSample, type Sample } from '../../core/devices/sample-queries.ts'
import { newDeviceSecret, setOwner, stockHardware } from '../../core/provider/hardware.ts'
import { maySee } from '../../core/visibility/visibility.ts'
import { sampleImei } from '../../domain/identifiers.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { Services } from '../../platform/services.ts'
import { claimDevices } from './claim-devices.ts'
import type { DeviceRow } from './device-queries.ts'
import { findDevice } from './get-device.ts'

const dayMs = 86_400_000
const shownDays = 30
const historyDays = 4

/** Has what sample devices need done after the commit: readings, or their removal. The app hands it in. */
export type TendSamples = (ctx: Context) => Promise<void>

/**
 * Adds the company's sample device: hardware that nobody holds, whose secret nobody knows, set up as any other, but without a licence.
 * Throws SAMPLE_EXISTS.
 */
export async function addSample(ctx: Context, tend: TendSamples): Promise<DeviceRow> {
  const hardware = { imei: sampleImei(ctx.companyId), type: 'sample', probes: 1 }
  // The second of two who add it at once waits here, and then finds the first one's.
  await withLogin(ctx.tx, async () => {
    await stockHardware(ctx.tx, hardware, newDeviceSecret())
    await setOwner(ctx.tx, [hardware.imei], ctx.companyId)
  })
  if (await lockSample(ctx)) throw new AppError('SAMPLE_EXISTS')
  const now = ctx.clock.now().getTime()
  const input = DeviceSetup.parse({
    imei: hardware.imei,
    licenceKey: 'none',
    name: translate(ctx.locale, 'devices:sample.name'),
    intervalS: 300,
    limits: { preset: 'refrigerated' },
  })
  const [id = null] = await claimDevices(ctx, [{ input, licence: null, hardware }], {
    validFrom: new Date(now - historyDays * dayMs),
    intervalKnown: true,
    sampleUntil: new Date(now + shownDays * dayMs),
  })
  if (id === null) throw new AppError('SAMPLE_EXISTS')
  await tend(ctx)
  return findDevice(ctx, id)
}

/** Takes the sample device, where the person sees one, out of use at once; what hangs on it is deleted in the background. */
export async function removeSample(ctx: Context, tend: TendSamples): Promise<void> {
  const device = await lockSample(ctx)
  if (!device || device.decommissioned_at || !maySee(ctx.person, device)) return
  await takeOut(ctx, device.id, ctx.clock.now())
  ctx.audit({ action: removed, target: targetOf(device) })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  await tend(ctx)
}

/** The same for a sample whose time is over. Of two who do it at once, the second finds it done. */
export const endSample = ({ pool, clock }: Services, { companyId, id }: Sample): Promise<void> =>
  inTenant(pool, companyId, async ({ tx }) => {
    const at = clock.now()
    const device = await lockSample({ tx, companyId })
    if (device?.id !== id || device.decommissioned_at) return
    await takeOut({ tx, companyId }, id, at)
    const about = { actor: { kind: 'system', name: 'sample devices' }, at, origin: nowhere } as const
    await writeAudit(tx, companyId, about, [{ action: removed, target: targetOf(device) }])
  })

const removed = 'devices.sampleRemoved'
const nowhere = { address: '', agent: '', requestId: '' }

async function takeOut(ctx: TenantTx, id: number, now: Date) {
  await releaseHardware(ctx, id, now)
  await updateDevice(ctx, id, { decommissioned_at: now, sample_until: now, updated_at: now })
}
