import { expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { notifyStage } from '../../../test/notify-scene.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { tellAdmins } from './tell-admins.ts'

const pipeline = describeIngest()
const { sent, rounds, scene, breach, grant, deliveries } = notifyStage(() => pipeline)

test('in a sandbox an alarm opens as everywhere, and nobody is written to: messages are skipped and cost nothing', async () => {
  const { companyId, device } = await scene([{ channels: ['app', 'mail', 'sms', 'chat'], role: 'admin' }])
  await grant(companyId, 10)
  await inTenant(pipeline.pool, companyId, ({ tx }) =>
    tx.updateTable('companies').set({ is_sandbox: true }).where('company_id', '=', companyId).execute(),
  )
  await breach(device)
  await rounds()
  expect(sent).toEqual([])
  expect(
    new Set((await deliveries(companyId)).map(({ channel, state, reason }) => `${channel} ${state} ${reason}`)),
  ).toEqual(new Set(['mail skipped sandbox', 'sms skipped sandbox', 'chat skipped sandbox']))
  expect(await pipeline.rows('select from notifications where company_id = $1', [companyId])).toHaveLength(1)
  const notice = { channel: 'webhook', to: 'https://hooks.example.test', reason: 'gone' } as never
  await asPipeline(pipeline.pool, ({ client }) =>
    tellAdmins(client, { companyId, kind: 'deliveryFailed', key: 'gone', notice }, pipeline.clock.now()),
  )
  await rounds()
  expect(sent).toEqual([])
})
