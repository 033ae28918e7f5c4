import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { buildHardware, buildKey } from '../../../test/stock.ts'
import { openTrial } from '../../core/devices/trial.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { tellLicenceEnds } from './renew-job.ts'

const t = describeApp({ billing: { isOn: true, trialDays: 14 } })
const dayMs = 86_400_000

const subjects = async (to: string) => (await t.mails()).filter((mail) => mail.to === to).map(({ subject }) => subject)
const after = async (days: number) => {
  t.clock.advance(days * dayMs)
  await Promise.all([tellLicenceEnds.run(t.services, {}), tellLicenceEnds.run(t.services, {})])
}

test('a licence of a key is spoken of 30, 7 and 1 days before it ends, once each; what was missed is left out', async () => {
  const user = await buildUser(t)
  const licenceKey = await buildKey(t, { months: 6 })
  const { imei } = await buildHardware(t)
  const claimed = await t.call('POST', '/devices/setup', {
    token: user.token,
    body: { imei, name: 'Fridge', licenceKey },
  })
  expect(claimed.status).toBe(200)
  const [device] = await t.rows<{ licence_until: Date }>('select licence_until from devices where company_id = $1', [
    user.companyId,
  ])
  // Six months have 181 to 184 days.
  await after(((device?.licence_until.getTime() ?? 0) - t.clock.now().getTime()) / dayMs - 31)
  expect(await subjects(user.email)).toEqual([])
  await after(2)
  await after(1)
  expect(await subjects(user.email)).toEqual([expect.stringMatching(/^A licence ends on /)])
  // Off from before the 7 days until half a day before the end.
  await after(27.5)
  await after(0.1)
  expect((await subjects(user.email)).length).toBe(2)
  await after(1)
  expect((await subjects(user.email)).length).toBe(2)
})

test('a trial is spoken of 7 days and 1 day before it ends, and not where something else goes on', async () => {
  const [user, other] = [await buildUser(t), await buildUser(t)]
  for (const { companyId } of [user, other])
    await inTenant(t.pool, companyId, ({ tx }) => openTrial({ tx, companyId, services: t.services }, t.clock.now()))
  const body = { licenceKey: await buildKey(t) }
  expect((await t.call('POST', '/enterprise/addLicense', { token: other.token, body })).status).toBe(200)
  for (const days of [0, 6, 1.5, 3, 3, 1]) await after(days)
  expect(await subjects(user.email)).toEqual([
    expect.stringMatching(/^Your trial ends on /),
    expect.stringMatching(/^Your trial ends on /),
  ])
  expect(await subjects(other.email)).toEqual([])
})
