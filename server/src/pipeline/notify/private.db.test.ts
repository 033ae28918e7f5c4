import { expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { notifyStage } from '../../../test/notify-scene.ts'

const pipeline = describeIngest()

const { sent, rounds, scene, breach, deliveries } = notifyStage(() => pipeline)
const quiet: [string, string] = ['12:30', '14:00']

test('a message that waits is not sent once its device is private, but to Admins', async () => {
  const people = [{ role: 'manager' }, { role: 'admin' }].map((each) => ({ ...each, channels: ['mail'], quiet }))
  const { companyId, device } = await scene(people, { severity: 'warning' })
  await breach(device)
  await rounds()
  expect(sent).toEqual([])
  await pipeline.change(companyId, `update devices set visibility = 'private' where company_id = $1`, [companyId])
  pipeline.clock.set('2026-11-20T13:00:30Z')
  await rounds()
  expect(sent.map(({ address }) => address)).toEqual([`p1.${companyId}@example.test`])
  expect((await deliveries(companyId)).map(({ state, reason }) => [state, reason])).toEqual([
    ['skipped', 'private'],
    ['accepted', null],
  ])
})

test('of a message about several devices those that became private are left out', async () => {
  const { companyId, devices } = await scene([{ role: 'manager', channels: ['mail'], quiet }], {
    devices: 7,
    severity: 'warning',
  })
  for (const device of devices) await breach(device)
  await rounds()
  const hidden = devices[0]?.id
  await pipeline.change(companyId, `update devices set visibility = 'private' where company_id = $1 and id = $2`, [
    companyId,
    hidden,
  ])
  pipeline.clock.set('2026-11-20T13:00:30Z')
  await rounds()
  expect(sent).toHaveLength(1)
  expect(sent[0]?.payload.alerts).toHaveLength(4)
  expect(sent[0]?.payload.deviceIds).toEqual(devices.slice(1, 5).map(({ id }) => id))
})

test('an address hears of a private device while the Admin who named it is one (M1)', async () => {
  const { companyId, device } = await scene([{ role: 'admin', channels: ['app'] }])
  await pipeline.change(
    companyId,
    `insert into alarm_recipients (company_id, alarm_id, tier, address, channels, named_by)
     select $1, a.id, 1, x.address, '{mail}', x.named_by from alarms a,
       (select 'named@example.test' as address, u.id as named_by from users u where u.company_id = $1
        union all select 'unknown@example.test', null) x where a.company_id = $1`,
    [companyId],
  )
  await pipeline.change(companyId, `update devices set visibility = 'private' where company_id = $1`, [companyId])
  await breach(device)
  await rounds()
  expect(sent.map(({ address }) => address)).toEqual(['named@example.test'])
  pipeline.clock.advance(180_000)
  await breach(device, 5)
  await pipeline.change(companyId, `update users set role = 'manager' where company_id = $1`, [companyId])
  await rounds()
  expect(sent).toHaveLength(1)
})
