import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { provider } from '../../commands/provider/provider.ts'

const t = describeApp()

async function run(...args: string[]) {
  const lines: string[] = []
  const code = await provider(args, { pool: t.pool, out: (line) => void lines.push(line) })
  return { code, text: lines.join('\n') }
}

test('units that the provider grants are in the wallet, its overview and its transactions', async () => {
  const admin = await buildUser(t)
  // The provider's clock is the real one, the test's is not.
  const to = new Date(Date.now() + 86_400_000).toISOString()
  const get = async (path: string, query = {}) =>
    (await t.call('GET', path, { token: admin.token, query })).body.payload
  expect(await get('/wallet')).toMatchObject([
    { kind: 'sms', balance: 0, remaining: 0, used: 0, overdraftPerDay: 20 },
    { kind: 'chat', balance: 0 },
  ])
  const company = String(admin.companyId)
  const granted = await run(
    'wallet',
    'grant',
    '--company',
    company,
    '--kind',
    'sms',
    '--units',
    '500',
    '--reference',
    'INV-7',
  )
  expect(granted).toEqual({ code: 0, text: `sms units of company ${company}: 500` })
  expect((await get('/wallet'))[0]).toMatchObject({ balance: 500, remaining: 500 })
  expect((await get('/wallet/sms/transactions', { to })).data).toMatchObject([
    { kind: 'granted', units: 500, balanceAfter: 500, reference: 'INV-7' },
  ])
  const overview = await t.call('POST', '/wallet/sms/overview', { token: admin.token, body: { to } })
  expect(overview.body.payload).toMatchObject({
    balance: 500,
    bought: 500,
    used: 0,
    byDay: [],
    byAlarm: [],
  })
  const [{ id }] = await get('/wallet')
  expect(
    (await t.call('PATCH', `/wallet/${id}`, { token: admin.token, body: { warnBelow: 50 } })).body.payload.warnBelow,
  ).toBe(50)
  expect(await get('/wallet/sms/settings')).toEqual({ warnBelow: 50 })
})

test.each([
  [['--company', '999999', '--kind', 'sms', '--units', '5'], 'no company'],
  [['--company', '1', '--kind', 'gold', '--units', '5'], '--kind'],
  [['--company', '1', '--kind', 'sms', '--units', '-5'], '--units'],
])('a grant that makes no sense is refused: %j', async (args, text) => {
  const refused = await run('wallet', 'grant', ...args)
  expect(refused.code).toBe(2)
  expect(refused.text).toContain(text)
})
