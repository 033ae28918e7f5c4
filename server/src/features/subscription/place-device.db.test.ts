import type { Subscription, UnlicensedDevice } from '@isotherm/contract/plans.ts'
import { dayMs } from '@isotherm/contract/zone-times.ts'
import { describe, expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import type { TestUser } from '../../../test/factories.ts'
import { describeMoney } from '../../../test/money-scene.ts'
import { aPlan, aSubscription } from '../../../test/plan-factory.ts'
import { trailOf } from '../../../test/trail.ts'

const scene = await describeMoney({ billing: { isOn: true, trialDays: 0 } })
const { t } = scene

/** A company with a plan for so many devices, none of which has a place. */
async function withPlan(devices = 1) {
  const user = await scene.buyer()
  const plan = await aPlan(t, devices)
  const made = await aSubscription(t, user, plan)
  return { user, made, plan }
}
/** A device whose last licence is over. */
async function lapsed(user: TestUser, given: { visibility?: 'private'; name?: string } = {}) {
  const device = await aDevice(t, { ...user, ...given })
  const until = new Date(t.clock.now().getTime() - dayMs)
  await t.change(user.companyId, 'update devices set licence_until = $2, updated_at = $3 where id = $1', [
    ...[device.id, until, t.clock.now()],
  ])
  return device
}
const give = ({ token }: TestUser, { id }: { id: string }, deviceId: number | string) =>
  t.call('POST', `/enterprise/subscriptions/${id}/devices/${deviceId}`, { token })
const without = async ({ token }: TestUser): Promise<UnlicensedDevice[]> =>
  (await t.call('GET', '/enterprise/devicesWithoutLicence', { token })).body.payload.data
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

describe('devices without a licence', () => {
  test('are listed as far as the person may see them; those that are covered are not', async () => {
    const { user, made } = await withPlan(2)
    const other = await scene.buyer({ role: 'manager', company: user })
    const [open, hidden] = [await lapsed(user, { name: 'B' }), await lapsed(user, { name: 'A', visibility: 'private' })]
    await lapsed(await scene.buyer())
    expect((await without(user)).map(({ id }) => id)).toEqual([String(hidden.id), String(open.id)])
    expect((await without(other)).map(({ id }) => id)).toEqual([String(open.id)])
    await give(user, made, open.id)
    expect(await without(other)).toEqual([])
  })
})

describe('a free place', () => {
  test('is given to the device that was chosen, until the end of the plan, and stands in the trail', async () => {
    const { user, made, plan } = await withPlan()
    const [, chosen] = [await lapsed(user), await lapsed(user)]
    const { status, body } = await give(user, made, chosen.id)
    expect([status, body.payload]).toMatchObject([
      200,
      { device: { id: String(chosen.id) }, until: made.period_end.toISOString(), isCancelled: false },
    ])
    expect((body.payload.subscription as Subscription).devices).toEqual({ used: 1, of: 1 })
    const devices = (await t.call('GET', '/enterprise/fetchActiveSubscribedDevices', { token: user.token })).body
      .payload
    expect(devices.data).toMatchObject([{ id: String(chosen.id), plan: plan.name }])
    expect((await trailOf(t, user.companyId)).at(-1)).toMatchObject({ action: 'subscription.devicePlaced' })
  })

  test('is refused where none is free, and where two want the last one, one of them has it', async () => {
    const { user, made } = await withPlan()
    const [one, other] = [await lapsed(user), await lapsed(user)]
    const answers = await Promise.all([give(user, made, one.id), give(user, made, other.id)])
    expect(answers.map(codeOf).sort()).toEqual([
      [200, undefined],
      [400, 'NO_FREE_PLACE'],
    ])
  })

  test('is refused to a device that has a licence, its own place included', async () => {
    const { user, made } = await withPlan(2)
    const device = await lapsed(user)
    await give(user, made, device.id)
    expect(codeOf(await give(user, made, device.id))).toEqual([400, 'DEVICE_LICENSED'])
  })

  test('comes back to a device that had one and lost it with a period', async () => {
    const { user, made } = await withPlan()
    const device = await lapsed(user)
    await give(user, made, device.id)
    await t.change(user.companyId, 'delete from licence_uses where company_id = $1 and device_id = $2', [
      ...[user.companyId, device.id],
    ])
    await t.change(user.companyId, 'update devices set licence_until = $2, updated_at = $3 where id = $1', [
      ...[device.id, new Date(t.clock.now().getTime() - dayMs), t.clock.now()],
    ])
    const { body } = await give(user, made, device.id)
    expect(body.payload.subscription.devices).toEqual({ used: 1, of: 1 })
  })

  test.each(['expired', 'cancelled'])('of a plan that is %s is none', async (state) => {
    const { user, made } = await withPlan()
    const device = await lapsed(user)
    await t.change(user.companyId, 'update subscriptions set state = $2, ended_at = $3 where id = $1', [
      ...[made.id, state, t.clock.now()],
    ])
    expect(codeOf(await give(user, made, device.id))).toEqual([400, 'ALREADY_CANCELLED'])
  })

  test('is not found by another company, nor for a device that is another’s, hidden or absent', async () => {
    const { user, made } = await withPlan()
    const stranger = await scene.buyer()
    const device = await lapsed(user)
    expect((await give(stranger, made, (await lapsed(stranger)).id)).status).toBe(404)
    expect((await give(user, made, (await lapsed(stranger)).id)).status).toBe(404)
    expect((await give(user, made, 99_999_999)).status).toBe(404)
    const staff = await scene.buyer({ role: 'staff', company: user })
    expect((await give(staff, made, device.id)).status).toBe(403)
  })
})
