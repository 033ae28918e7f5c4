import { DeviceSetup } from '@isotherm/contract/devices.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { releaseHardware } from '../../core/devices/assignments.ts'
import { updateDevice } from '../../core/devices/device-queries.ts'
import { isPrivate, targetOf } from '../../core/devices/lock-device.ts'
import { lockSamples, type Sample } from '../../core/devices/sample-queries.ts'
import { newDeviceSecret, setOwner, stockHardware } from '../../core/provider/hardware.ts'
import { maySee } from '../../core/visibility/visibility.ts'
import { type SampleKind, sampleImei } from '../../domain/identifiers.ts'
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
// Until the sandbox ends: longer than anybody keeps one.
const sandboxDays = 3_650

/** Has what sample devices need done after the commit: readings, or their removal. The app hands it in. */
export type TendSamples = (ctx: Context) => Promise<void>

const types = { fridge: 'sample', freezer: 'sample-freezer', van: 'sample-van' } as const
const presets = { fridge: 'refrigerated', freezer: 'frozen', van: 'refrigerated' } as const

/**
 * Adds the company's sample device: hardware that nobody holds, whose secret nobody knows, set up as any other, but without a licence.
 * Throws SAMPLE_EXISTS.
 */
export async function addSample(ctx: Context, tend: TendSamples): Promise<DeviceRow> {
  const [id = null] = await addSamples(ctx, ['fridge'], shownDays)
  if (id === null) throw new AppError('SAMPLE_EXISTS')
  await tend(ctx)
  return findDevice(ctx, id)
}

/** Adds the devices of a sandbox, one of each kind, which stay until it ends. */
export async function addSandboxSamples(ctx: Context, tend: TendSamples): Promise<void> {
  await addSamples(ctx, ['fridge', 'freezer', 'van'], sandboxDays)
  await tend(ctx)
}

function nameOf(locale: Context['locale'], kind: SampleKind): string {
  if (kind === 'freezer') return translate(locale, 'devices:sample.freezer')
  return kind === 'van' ? translate(locale, 'devices:sample.van') : translate(locale, 'devices:sample.name')
}

async function addSamples(ctx: Context, kinds: readonly SampleKind[], days: number) {
  const samples = kinds.map((kind) => ({
    kind,
    hardware: { imei: sampleImei(ctx.companyId, kind), type: types[kind], probes: 1 },
  }))
  // The second of two who add it at once waits here, and then finds the first one's.
  await withLogin(ctx.tx, async () => {
    for (const { hardware } of samples) await stockHardware(ctx.tx, hardware, newDeviceSecret())
    await setOwner(
      ctx.tx,
      samples.map(({ hardware }) => hardware.imei),
      ctx.companyId,
    )
  })
  if ((await lockSamples(ctx)).length > 0) throw new AppError('SAMPLE_EXISTS')
  const now = ctx.clock.now().getTime()
  const claims = samples.map(({ kind, hardware }) => ({
    ...{ licence: null, hardware },
    input: DeviceSetup.parse({
      imei: hardware.imei,
      licenceKey: 'none',
      name: nameOf(ctx.locale, kind),
      intervalS: 300,
      limits: { preset: presets[kind] },
    }),
  }))
  return claimDevices(ctx, claims, {
    validFrom: new Date(now - historyDays * dayMs),
    intervalKnown: true,
    sampleUntil: new Date(now + days * dayMs),
  })
}

/** Takes the sample devices that the person sees out of use at once; what hangs on them is deleted in the background. */
export async function removeSample(ctx: Context, tend: TendSamples): Promise<void> {
  const devices = await lockSamples(ctx)
  const seen = devices.filter((device) => !device.decommissioned_at && maySee(ctx.person, device))
  if (seen.length === 0) return
  for (const device of seen) {
    await takeOut(ctx, device.id, ctx.clock.now())
    ctx.audit({ action: removed, target: targetOf(device) })
    announceDevice(ctx, device.id, 'settings', isPrivate(device))
  }
  await tend(ctx)
}

/** The same for a sample whose time is over. Of two who do it at once, the second finds it done. */
export const endSample = ({ pool, clock }: Services, { companyId, id }: Sample): Promise<void> =>
  inTenant(pool, companyId, async ({ tx }) => {
    const at = clock.now()
    const device = (await lockSamples({ tx, companyId })).find((one) => one.id === id)
    if (!device || device.decommissioned_at) return
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
