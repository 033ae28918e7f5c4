import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'

const rate = { person: { burst: 1, perMinute: 1 }, company: { burst: 1, perMinute: 1 } }
const t = describeApp({ callRates: { writes: rate, exports: rate } })

test('a client that goes on asking after a limit refused it is answered after those who came later', async () => {
  const { token } = await buildUser(t)
  const exporting = (remoteAddress: string) =>
    t.app.inject({
      url: '/app/api/v1/users/export',
      headers: { authorization: `Bearer ${token}` },
      remoteAddress,
    })
  await exporting('192.0.2.1')
  const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await exporting('192.0.2.1')).statusCode))
  expect(new Set(statuses)).toEqual(new Set([429]))
  const order: string[] = []
  const slow = exporting('192.0.2.1').then(({ statusCode }) => order.push(`first ${statusCode}`))
  await exporting('192.0.2.2').then(({ statusCode }) => order.push(`other address ${statusCode}`))
  await slow
  expect(order).toEqual(['other address 429', 'first 429'])
})

test('so is one that asks from ever new addresses of its own network', async () => {
  t.services.checks.room = () => false
  const asking = (remoteAddress: string) => t.app.inject({ url: '/ready', remoteAddress })
  await Promise.all(Array.from({ length: 100 }, (_, n) => asking(`2001:db8:0:7::${n + 1}`)))
  const order: string[] = []
  const slow = asking('2001:db8:0:7:8::').then(() => order.push('same network'))
  await asking('2001:db8:0:8::1').then(() => order.push('other network'))
  await slow
  expect(order).toEqual(['other network', 'same network'])
})

test('so is one that goes on asking a server that has no room', async () => {
  t.services.checks.room = () => false
  const asking = (remoteAddress: string) => t.app.inject({ url: '/ready', remoteAddress })
  const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await asking('192.0.2.3')).statusCode))
  expect(new Set(statuses)).toEqual(new Set([503]))
  const order: string[] = []
  const slow = asking('192.0.2.3').then(({ statusCode }) => order.push(`first ${statusCode}`))
  await asking('192.0.2.4').then(({ statusCode }) => order.push(`other address ${statusCode}`))
  await slow
  expect(order).toEqual(['other address 503', 'first 503'])
})
