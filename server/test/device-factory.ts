import type { Limits } from '@isotherm/contract/device-limits.ts'
import { limitPresets } from '@isotherm/contract/device-limits.ts'
import { assign } from '../src/core/devices/assignments.ts'
import type { Claim } from '../src/core/devices/device-changes.ts'
import { insertDevices } from '../src/core/devices/device-queries.ts'
import { noteCompany } from '../src/core/devices/settings-changes.ts'
import { setOwner } from '../src/core/provider/hardware.ts'
import { addLimits } from '../src/features/devices/change-queries.ts'
import { asLogin } from '../src/platform/db/transaction.ts'
import { buildCompany, inCompany, type Stage, type TestUser } from './factories.ts'
import type { TestApp } from './harness.ts'
import { buildHardware } from './stock.ts'
import type { TestPipeline, TestReading, TestTracker } from './test-pipeline.ts'

let count = 0

export interface DeviceSpec {
  companyId?: number
  name?: string
  visibility?: 'private' | 'public'
  intervalS?: number
  /** Hardware of the stock; default: new one. */
  tracker?: TestTracker
  probe?: number
  /** Since when it has its hardware and its limits; default: a day ago. */
  validFrom?: Date
  limits?: Partial<Limits>
  /** Readings that it has sent; for a test app with a pipeline. */
  readings?: readonly TestReading[]
}

/** A device with hardware of its own and the limits given. It has no licence, and so does not expire. */
export async function aDevice(test: Stage & { pipeline?: TestPipeline }, given: DeviceSpec = {}) {
  const companyId = given.companyId ?? (await buildCompany(test)).companyId
  const { imei, secret } = given.tracker ?? (await buildHardware(test, { type: 'tracker' }))
  await asLogin(test.pool, ({ tx }) => setOwner(tx, [imei], companyId))
  count += 1
  const { name = `Device ${count}`, visibility = 'public', intervalS, probe = 1, limits, readings = [] } = given
  const now = test.clock.now()
  const validFrom = given.validFrom ?? new Date(now.getTime() - 86_400_000)
  const id = await inCompany(test, companyId, async (ctx) => {
    const claim = claimOf({ imei, probe, name, visibility, intervalS })
    const [made = 0] = await insertDevices(ctx, [claim], now, now)
    const assigned = await assign(ctx, [{ ...claim, id: made }], validFrom)
    if (!assigned.has(made)) throw new Error(`somebody has probe ${probe} of ${imei}`)
    await noteCompany(ctx)
    if (limits) await addLimits(ctx, [{ id: made, limits: { ...limitPresets.none, ...limits } }], validFrom)
    return made
  })
  const device = { companyId, id, imei, secret, name }
  // A request carries so many.
  for (let first = 0; first < readings.length; first += 500) {
    if (!test.pipeline) throw new Error('readings need a pipeline')
    await test.pipeline.send(device, readings.slice(first, first + 500))
  }
  return device
}

const claimOf = (input: object) =>
  ({ input, hardware: { type: 'tracker' }, licence: { id: null, expiresAt: null } }) as unknown as Claim

/** Devices without hardware: Unit 1, Unit 2 and so on. Returns their ids. */
export const manyDevices = (test: Stage, { companyId }: { companyId: number }, many: number) =>
  inCompany(test, companyId, async (ctx) => {
    const claims = Array.from({ length: many }, (_, n) => claimOf({ name: `Unit ${n + 1}`, visibility: 'public' }))
    const ids: number[] = []
    // A statement takes so many parameters.
    while (claims.length > 0)
      ids.push(...(await insertDevices(ctx, claims.splice(0, 1_000), test.clock.now(), test.clock.now())))
    await noteCompany(ctx)
    return ids
  })

/** Gives a device limits from an instant on. */
export const setLimits = (
  test: Stage,
  { companyId, id }: { companyId: number; id: number },
  limits: Partial<Limits>,
  from: Date,
) => inCompany(test, companyId, (ctx) => addLimits(ctx, [{ id, limits: { ...limitPresets.none, ...limits } }], from))

/** As a person who may, by the call. */
export const renameDevice = (test: TestApp, user: TestUser, id: number, name: string) =>
  test.call('PATCH', `/devices/${id}`, { token: user.token, body: { name } })
