import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { provider } from './provider.ts'

const t = describeApp({ billing: { isOn: true, trialDays: 0 } })

async function run(...args: string[]) {
  const out: string[] = []
  const warned: string[] = []
  const code = await provider(args, {
    pool: t.pool,
    out: (line) => void out.push(line),
    warn: (line) => void warned.push(line),
  })
  return { code, out, warned: warned.join('\n') }
}
const rows = async (sql: string) => (await t.pool.query(sql)).rows
const one = ['--name', 'One', '--devices', '1', '--users', '2', '--emails', '3', '--phones', '0', '--retention', '12']

test('plans for 1, 5 and 10 devices are added once, without prices', async () => {
  expect((await run('plans', 'defaults')).code).toBe(0)
  const { out } = await run('plans', 'defaults')
  expect(out).toHaveLength(4)
  expect(out.slice(1).map((line) => line.split(/ {2,}/)[2])).toEqual(['1', '5', '10'])
  expect(await rows('select * from plan_prices')).toEqual([])
})

test('a plan is added, changed for what is sold from then on, and archived; each is in the log with who did it', async () => {
  expect((await run('plans', 'add', 'tiny', ...one)).code).toBe(0)
  expect(await run('plans', 'add', 'tiny', ...one)).toMatchObject({
    code: 2,
    warned: expect.stringContaining('already'),
  })
  const [key = ''] = (await run('licences', 'issue', '--plan', 'tiny', '--months', '12')).out
  const user = await buildUser(t)
  const body = { licenceKey: key }
  expect((await t.call('POST', '/enterprise/addLicense', { token: user.token, body })).body.payload).toMatchObject({
    plan: { name: 'One' },
    devices: { of: 1 },
  })
  expect((await run('plans', 'change', 'tiny', '--users', '9', '--name', 'Tiny')).code).toBe(0)
  const { use } = (await t.call('GET', '/enterprise/entitlement', { token: user.token })).body.payload
  expect(use).toMatchObject({ users: { limit: 2 }, emails: { limit: 3 }, phones: { limit: 0 }, retentionMonths: 12 })
  expect((await run('plans', 'archive', 'tiny')).code).toBe(0)
  expect((await run('plans', 'list')).out.at(-1)).toMatch(/^tiny +Tiny .* archived \d{4}-/)
  expect(
    await rows(`select operator, action, before, after from desk_log where target = 'tiny' order by id`),
  ).toMatchObject([
    { operator: userInfo().username, action: 'plans.added', before: null, after: { users: 2 } },
    { action: 'plans.changed', before: { users: 2, name: 'One' }, after: { users: 9, name: 'Tiny' } },
    { action: 'plans.archived' },
  ])
  expect((await run('log', 'list')).out.join('\n')).toContain('licences.issued')
})

test('a price is never edited: it ends where the next begins, one planned for later stays, and the past stays as it was', async () => {
  await run('plans', 'add', 'priced', ...one)
  const set = (amount: string, ...more: string[]) =>
    run('prices', 'set', 'priced', '--currency', 'ngn', '--billing', 'monthly', '--amount', amount, ...more)
  expect((await set('10750.50')).code).toBe(0)
  expect((await set('12000', '--from', '2100-01-01')).code).toBe(0)
  expect((await set('11000')).code).toBe(0)
  const found = await rows(`select amount, valid_from, valid_to from plan_prices r join plans p on p.id = r.plan_id
    where p.code = 'priced' order by valid_from`)
  expect(found.map(({ amount }) => amount)).toEqual(['1075050', '1100000', '1200000'])
  expect(found.map(({ valid_to: to }) => to)).toEqual([found[1].valid_from, found[2].valid_from, null])
  expect(await set('1', '--from', '2100-01-01')).toMatchObject({
    code: 2,
    warned: expect.stringContaining('not edited'),
  })
  expect(await set('1', '--from', '2020-01-01')).toMatchObject({ code: 2, warned: expect.stringContaining('past') })
  const { out } = await run('prices', 'list', 'priced')
  expect(out.slice(1)).toMatchObject([
    expect.stringMatching(/^priced +NGN +monthly +11000\.00 .* 2100-01-01$/),
    expect.stringMatching(/^priced +NGN +monthly +12000\.00 +2100-01-01$/),
  ])
  expect(await run('prices', 'list', 'unpriced')).toMatchObject({
    code: 2,
    warned: expect.stringContaining('no plan "unpriced"'),
  })
  await run('prices', 'end', 'priced', '--currency', 'NGN', '--billing', 'monthly', '--from', '2101-01-01')
  expect((await run('prices', 'list', 'priced')).out.at(-1)).toMatch(/2100-01-01 +2101-01-01$/)
})

test('units have bundles, a rate and a weight by country', async () => {
  const sms = ['units', 'set', '--kind', 'sms']
  expect((await run(...sms, '--currency', 'KES', '--units', '1', '--amount', '1.20')).code).toBe(0)
  expect((await run(...sms, '--currency', 'KES', '--units', '1000', '--amount', '950', '--bundle')).code).toBe(0)
  const { out } = await run(...sms, '--country', 'ng', '--weight', '3')
  expect(out).toEqual([
    expect.stringMatching(/^KIND/),
    expect.stringMatching(/^sms +KES +rate +1 +1\.20/),
    expect.stringMatching(/^sms +KES +bundle +1000 +950\.00/),
    expect.stringMatching(/^KIND/),
    expect.stringMatching(/^sms +NG +3/),
  ])
})

test('a country is blocked and opened again, and the overdraft of critical alarms set for all or for one company', async () => {
  const { companyId } = await buildCompany(t)
  const said = async (...args: string[]) => (await run(...args)).out.join('\n')
  expect(await said('units', 'block', '--kind', 'sms', '--country', 'CU')).toContain('blocked')
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const opened = await said(...['units', 'set', '--kind', 'sms', '--country', 'CU', '--weight', '3', '--from', day])
  expect(opened).toMatch(/CU +3 +/)
  expect(await said('units', 'overdraft')).toContain('by 20 units a day')
  expect(await said('units', 'overdraft', '--units', '5')).toContain('by 5 units a day')
  const overdrafts = () =>
    t.rows('select distinct overdraft_units as units from wallets where company_id = $1', [companyId])
  expect(await overdrafts()).toEqual([{ units: null }])
  expect((await run('units', 'overdraft', '--units', '0', '--company', String(companyId))).code).toBe(0)
  expect(await overdrafts()).toEqual([{ units: 0 }])
  expect((await run('units', 'overdraft', '--units', '0', '--company', '999999')).code).toBe(2)
  await said('units', 'overdraft', '--units', '20')
  expect(await said('log', 'list')).toContain('units.overdraft')
})

test('taxes are dated by days, several of a country side by side', async () => {
  const gh = (name: string, percent: string, from: string) =>
    run('tax', 'set', '--country', 'GH', '--name', name, '--percent', percent, '--from', from)
  await gh('VAT', '12.5', '2026-01-01')
  await gh('NHIL', '2.5', '2026-01-01')
  const { out } = await gh('VAT', '15', '2100-01-01')
  expect(out.slice(1)).toEqual([
    expect.stringMatching(/^GH +NHIL +2\.5 +2026-01-01$/),
    expect.stringMatching(/^GH +VAT +12\.5 +2026-01-01 +2100-01-01$/),
    expect.stringMatching(/^GH +VAT +15 +2100-01-01$/),
  ])
  expect((await gh('VAT', '1', '2026-06-01')).warned).toContain('past')
  expect((await run('tax', 'end', '--country', 'GH', '--name', 'NHIL', '--from', '2100-01-01')).out[1]).toMatch(
    /2100-01-01$/,
  )
  const ended = (name: string, from: string) => run('tax', 'end', '--country', 'GH', '--name', name, '--from', from)
  expect(await ended('LEVY', '2100-01-01')).toMatchObject({ code: 2, warned: expect.stringContaining('no tax "LEVY"') })
  expect(await ended('NHIL', '2100-01-01')).toMatchObject({ code: 2, warned: expect.stringContaining('see tax list') })
})

test('the seller is set, changed in part, and shown', async () => {
  expect((await run('seller', 'show')).out[0]).toContain('No seller')
  const about = ['--name', 'Cold Ltd', '--address', '1 Marina, Lagos', '--country', 'NG', '--tax-number', '0123']
  expect((await run('seller', 'set', ...about)).code).toBe(0)
  expect((await run('seller', 'set', '--email', 'billing@cold.example', '--tax-number', '')).out).toEqual([
    'Cold Ltd',
    '1 Marina, Lagos',
    'NG',
    'billing@cold.example',
  ])
  expect(
    await rows(`select before, after from desk_log where action = 'seller.set' order by id desc limit 1`),
  ).toMatchObject([
    { before: { tax_number: '0123', email: null }, after: { tax_number: null, email: 'billing@cold.example' } },
  ])
})

test.each([
  ['plans add Big --name x', 'small letters'],
  ['plans add big --name Big --devices 0', '--devices must'],
  ['plans change nothing --users 2', 'no plan "nothing"'],
  ['plans change tiny', 'Nothing to change'],
  ['prices set nothing --currency NGN --billing monthly --amount 1', 'no plan "nothing"'],
  ['prices set priced --currency NAIRA --billing monthly --amount 1', 'ISO 4217'],
  ['prices set priced --currency XOF --billing monthly --amount 1.50', 'amount of XOF'],
  ['prices set priced --currency NGN --billing weekly --amount 1', 'monthly or annually'],
  ['prices set priced --currency NGN --billing monthly --amount 1 --from 2026-02-30', 'must be a day'],
  ['units set --kind fax --currency NGN --units 1 --amount 1', 'sms or chat'],
  ['units set --kind sms --currency NGN --units 1 --amount 0', 'more than 0'],
  ['tax set --country NG --name VAT --percent 101 --from 2026-01-01', 'from 0 to 100'],
  ['tax set --country NIG --name VAT --percent 7.5 --from 2026-01-01', 'two letters'],
  ['tax set --country NG --name VAT --percent 7.5', '--from must be a day'],
  ['seller set --name Cold --country NG --email nobody', '--address'],
  ['licences issue --plan nothing --months 1', 'no plan "nothing"'],
  ['licences issue --months 1', '--devices must'],
])('%s is refused with a reason, and changes nothing', async (text, reason) => {
  await t.pool.query('delete from seller')
  const before = await rows('select count(*) from desk_log')
  const { code, warned } = await run(...text.split(' '))
  expect([code, warned]).toEqual([2, expect.stringContaining(reason)])
  expect(await rows('select count(*) from desk_log')).toEqual(before)
})
