import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'

const t = describeApp()

const csv = `imei,name\n${'860000000000000,Fridge\n'.repeat(10_000)}`
const upload = ({ token }: TestUser) =>
  t.call('POST', '/devices/setup/bulk', { token, body: { csv, dryRun: true } }).then(({ status }) => status)

test('a long body of a company that has sent too much of them waits, and another company’s is answered meanwhile', async () => {
  const [busy, calm] = [await buildUser(t), await buildUser(t)]
  t.services.pace.spent(busy.companyId, 1_000)
  const order: string[] = []
  const waiting = upload(busy).then((status) => order.push(`busy ${status}`))
  await upload(calm).then((status) => order.push(`calm ${status}`))
  await waiting
  expect(order).toEqual(['calm 422', 'busy 422'])
})

test('a short body is answered at once, whatever its company has sent before', async () => {
  const busy = await buildUser(t)
  t.services.pace.spent(busy.companyId, 1_000)
  const order: string[] = []
  const waiting = upload(busy).then(() => order.push('long'))
  await t.call('POST', '/groups', { token: busy.token, body: { name: 'Vans' } }).then(() => order.push('short'))
  await waiting
  expect(order).toEqual(['short', 'long'])
})

test('where twenty of a company’s long bodies wait, the next one is told to come again', async () => {
  const busy = await buildUser(t)
  t.services.pace.spent(busy.companyId, 3_000)
  for (let n = 0; n < 20; n++) t.services.pace.when(busy.companyId, () => {})
  const answer = await t.call('POST', '/devices/setup/bulk', { token: busy.token, body: { csv, dryRun: true } })
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'BUSY', '5'])
})
