import type { LimitsChange } from '@isotherm/contract/device-limits.ts'
import type { DeviceSetup } from '@isotherm/contract/devices.ts'
import { newClaimCode } from '../core/provider/claim-codes.ts'
import { newDeviceSecret, setClaimCode, stockHardware } from '../core/provider/hardware.ts'
import { issueKeys } from '../core/provider/licence-keys.ts'
import { findPlan } from '../core/provider/plans.ts'
import { setupDevice } from '../features/devices/setup-device.ts'
import type { Context } from '../platform/context.ts'
import { asLogin, asPipeline } from '../platform/db/transaction.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'
import { demoPlan } from './catalogue.ts'
import type { DemoLimits, DemoTracker } from './tracker.ts'

/** One device to be: a probe of a tracker. */
interface Point {
  tracker: DemoTracker
  probe: number
  name: string
  limits: DemoLimits
}

const limitsOf = (limits: DemoLimits): LimitsChange => ({
  temperatureMinC: limits.temperatureMinC ?? null,
  temperatureMaxC: limits.temperatureMaxC ?? null,
  humidityMinPct: limits.humidityMinPct ?? null,
  humidityMaxPct: limits.humidityMaxPct ?? null,
})

/** Takes trackers into stock that are not, with the secrets known of them; returns all secrets by IMEI. */
export async function ensureHardware(
  { pool }: Services,
  fleet: readonly DemoTracker[],
  known: Record<string, string>,
): Promise<Record<string, string>> {
  const secrets = { ...known }
  await asLogin(pool, async ({ tx }) => {
    for (const { imei, type, probes } of fleet) {
      const secret = secrets[imei] ?? newDeviceSecret()
      secrets[imei] = secret
      await stockHardware(tx, { imei, type, probes: Math.max(...probes.map(({ probe }) => probe)) }, secret)
    }
  })
  return secrets
}

/** Claims what of the fleet nobody has claimed yet, with keys issued for it; `since` is when its history may begin. */
export async function claimFleet(
  services: Services,
  companyId: number,
  fleet: readonly DemoTracker[],
  since: Date,
): Promise<number> {
  const taken = await takenProbes(services, fleet)
  const wanted = fleet
    .flatMap((tracker) => tracker.probes.map((probe): Point => ({ tracker, ...probe })))
    .filter(({ tracker, probe }) => !taken.has(`${tracker.imei}:${probe}`))
  const codes = await labelAll(services, wanted)
  for (const [months, points] of Map.groupBy(wanted, ({ tracker }) => tracker.licenceMonths)) {
    const [licenceKey = ''] = await asLogin(services.pool, async ({ tx }) => {
      const plan = await findPlan(tx, demoPlan)
      const about = { devices: points.length, months, count: 1, now: services.clock.now() }
      return issueKeys(tx, { ...about, planId: plan?.id ?? null })
    })
    await asAdmin(services, companyId, async (ctx) => {
      for (const point of points)
        await claim(ctx, point, { licenceKey, claimCode: codes.get(point.tracker.imei), since })
    })
  }
  return wanted.length
}

/** New codes, as on labels, for the trackers that are to be claimed. */
async function labelAll({ pool }: Services, points: Point[]): Promise<Map<string, string>> {
  const codes = new Map(points.map(({ tracker }) => [tracker.imei, newClaimCode()]))
  await asLogin(pool, async ({ tx }) => {
    for (const [imei, code] of codes) await setClaimCode(tx, imei, code)
  })
  return codes
}

interface Proof {
  licenceKey: string
  claimCode: string | undefined
  since: Date
}

async function claim(ctx: Context, { tracker, probe, name, limits }: Point, proof: Proof) {
  const { licenceKey, claimCode, since } = proof
  const { imei, tag, intervalS, visibility } = tracker
  const input: DeviceSetup = {
    imei,
    probe,
    claimCode,
    licenceKey,
    name,
    tag,
    intervalS,
    visibility,
    limits: limitsOf(limits),
    overrideImeiCheck: false,
  }
  await setupDevice(ctx, input, { validFrom: since, intervalKnown: true })
}

/** The probes in use, in whichever company, as 'imei:probe'. */
async function takenProbes({ pool }: Services, fleet: readonly DemoTracker[]): Promise<Set<string>> {
  const imeis = fleet.map(({ imei }) => imei)
  if (imeis.length === 0) return new Set()
  const rows = await asPipeline(pool, ({ tx }) =>
    tx
      .selectFrom('assignments')
      .select(['imei', 'probe'])
      .where('imei', 'in', imeis)
      .where('valid_to', 'is', null)
      .execute(),
  )
  return new Set(rows.map(({ imei, probe }) => `${imei}:${probe}`))
}
