import type { BulkRow } from '@isotherm/contract/device-bulk.ts'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../test/claim-codes.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, only, setMatrix } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { buildHardware, buildKey, newImei } from '../../../test/stock.ts'
import { trailOf } from '../../../test/trail.ts'
import { claimHash } from '../../core/provider/claim-codes.ts'

const t = describeApp()

type Cells = Record<string, string | number>
const csvOf = (rows: Cells[]) => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((row) => row.join(','))
    .join('\n')
}
/** Hardware with the code of its label. */
const coded = (row: Cells): Cells => ('licenceKey' in row ? { claimCode: codeOf(String(row.imei ?? '')), ...row } : row)
async function bulk(
  token: string,
  rows: Cells[] | string,
  given: { dryRun?: boolean; overrideImeiCheck?: boolean } = {},
) {
  const csv = typeof rows === 'string' ? rows : csvOf(rows.map(coded))
  return t.call('POST', '/devices/setup/bulk', { token, body: { csv, dryRun: false, ...given } })
}
const total = async (token: string) => (await t.call('GET', '/devices', { token })).body.payload.meta.total
const faults = (rows: BulkRow[]) =>
  rows.map(({ row, verdict, problems }) => [row, verdict, problems[0]?.column ?? null])

async function fleet(count: number) {
  const admin = await buildUser(t)
  const licenceKey = await buildKey(t, { devices: count })
  const hardware = await Promise.all(Array.from({ length: count }, () => buildHardware(t)))
  const rows: Cells[] = hardware.map(({ imei }, i) => ({ imei, licenceKey, name: `Fridge ${i + 1}` }))
  return { admin, licenceKey, rows }
}

test('a dry run says what would happen and leaves nothing behind; the real run does just that', async () => {
  const { admin, licenceKey, rows } = await fleet(3)
  Object.assign(rows[0]!, {
    tag: 'Ikeja',
    intervalS: 300,
    visibility: 'PRIVATE',
    preset: 'Refrigerated',
    temperatureMinC: '',
  })
  Object.assign(rows[1]!, { temperatureMinC: -25, temperatureMaxC: -15.5 })
  const before = (await trailOf(t, admin.companyId)).length
  const dry = await bulk(admin.token, rows, { dryRun: true })
  expect(dry.body.payload).toMatchObject({ applied: false, counts: { new: 3, error: 0, changes: 0, unchanged: 0 } })
  expect(await total(admin.token)).toBe(0)
  expect(await trailOf(t, admin.companyId)).toHaveLength(before)
  const check = await t.call('GET', `/license/${licenceKey}`, { token: admin.token })
  expect(check.body.payload).toMatchObject({ state: 'free', devicesFree: 3, expiresAt: null })

  const real = await bulk(admin.token, rows)
  expect(real.body.payload).toMatchObject({ applied: true, counts: { new: 3 } })
  const ids = real.body.payload.rows.map((row: BulkRow) => row.deviceId)
  const [first, second] = await Promise.all(
    ids.map(async (id: string) => (await t.call('GET', `/devices/${id}`, { token: admin.token })).body.payload),
  )
  expect(first).toMatchObject({
    name: 'Fridge 1',
    tag: 'Ikeja',
    visibility: 'private',
    intervalS: 300,
    limits: { temperatureMinC: 2, temperatureMaxC: 8 },
    waiting: [{ kind: 'interval' }],
  })
  expect(second).toMatchObject({ limits: { temperatureMinC: -25, temperatureMaxC: -15.5 }, visibility: 'public' })
  const added = (await trailOf(t, admin.companyId)).slice(before)
  expect(added.map(({ action, target }) => [action, target?.name])).toEqual(
    rows.map(({ name }) => ['devices.added', name]),
  )
  expect(JSON.stringify(added)).not.toContain(licenceKey)
})

test('one wrong row, and nothing is written', async () => {
  const { admin, rows } = await fleet(2)
  const { status, body } = await bulk(admin.token, [...rows, { imei: newImei(), licenceKey: 'x', name: 'Nobody’s' }])
  expect(status).toBe(200)
  expect(body.payload).toMatchObject({ applied: false, counts: { new: 2, error: 1 } })
  expect(body.payload.rows.every((row: BulkRow) => row.deviceId === null)).toBe(true)
  expect(await total(admin.token)).toBe(0)
})

test('the places of a licence are counted across the rows', async () => {
  const { admin, rows } = await fleet(3)
  const licenceKey = await buildKey(t, { devices: 2 })
  const { body } = await bulk(
    admin.token,
    rows.map((row, i) => ({ ...row, licenceKey: i === 1 ? licenceKey.toLowerCase() : licenceKey })),
  )
  expect(faults(body.payload.rows)).toEqual([
    [2, 'new', null],
    [3, 'new', null],
    [4, 'error', 'licenceKey'],
  ])
  expect(body.payload.rows[2].problems[0].message).toBe('This licence key is already used up.')
})

test('every fault is named with its row and column, in the language of the caller', async () => {
  const { admin, rows, licenceKey } = await fleet(2)
  const [other, taken] = [await buildUser(t), await buildHardware(t)]
  await bulk(other.token, [{ imei: taken.imei, licenceKey: await buildKey(t), name: 'Theirs' }])
  const wrong = newImei({ wrong: true })
  await buildHardware(t, { imei: wrong })
  const lines: [Cells, (string | null)[]][] = [
    [rows[0]!, []],
    [{ ...rows[0]!, name: 'Again' }, ['imei']],
    [{ imei: '12345', licenceKey, name: 'x' }, ['imei']],
    [{ imei: '4.90154E+14', licenceKey, name: 'x' }, ['imei']],
    [{ licenceKey, name: 'x' }, ['imei']],
    [{ imei: wrong, licenceKey, name: 'x' }, ['imei']],
    [{ imei: newImei(), licenceKey, name: 'x' }, ['claimCode']],
    [{ imei: taken.imei, licenceKey, name: 'x' }, ['claimCode']],
    [{ ...rows[1]!, probe: 2 }, ['probe']],
    [{ ...rows[1]!, probe: 'two' }, ['probe']],
    [{ imei: newImei() }, ['claimCode', 'licenceKey', 'name']],
    [{ imei: newImei(), licenceKey, name: '=cmd|calc' }, ['name']],
    [{ imei: newImei(), licenceKey, name: 'x', intervalS: 60 }, ['intervalS']],
    [{ imei: newImei(), licenceKey, name: 'x', visibility: 'all' }, ['visibility']],
    [{ imei: newImei(), licenceKey, name: 'x', preset: 'warm' }, ['preset']],
    [{ imei: newImei(), licenceKey, name: 'x', preset: 'frozen', temperatureMinC: 2 }, ['preset']],
    [{ imei: newImei(), licenceKey, name: 'x', temperatureMinC: 8, temperatureMaxC: 2 }, ['temperatureMaxC']],
    [{ imei: newImei(), licenceKey, name: 'x', humidityMinPct: 'dry' }, ['humidityMinPct']],
  ]
  const dry = await bulk(
    admin.token,
    lines.map(([cells]) => cells),
    { dryRun: true },
  )
  expect(dry.body.payload.rows.map((row: BulkRow) => [row.row, row.problems.map(({ column }) => column)])).toEqual(
    lines.map(([, columns], i) => [i + 2, columns]),
  )
  const override = await bulk(admin.token, [{ imei: wrong, licenceKey, name: 'x' }], { overrideImeiCheck: true })
  expect(override.body.payload.applied).toBe(true)
  const french = await buildUser(t, { company: admin, locale: 'fr' })
  const answer = await bulk(french.token, [{ imei: '12345', licenceKey, name: 'x' }])
  expect(answer.body.payload.rows[0].problems).toEqual([{ column: 'imei', message: 'Un IMEI comporte 15 chiffres.' }])
})

test('a file with a control character is refused with its field, however it came there', async () => {
  const { admin, rows } = await fleet(1)
  for (const stain of ['\u0000', '\u0007', '\ud800']) {
    const { status, body } = await bulk(admin.token, `${csvOf(rows)}\n${stain}`, { dryRun: true })
    expect(status).toBe(422)
    expect(body.fields).toEqual({ csv: ['Control characters are not allowed.'] })
  }
})

test('a file that is none is refused as a whole', async () => {
  const admin = await buildUser(t)
  for (const csv of ['imei,colour\n1,red', 'name\nx', 'imei,name\n', 'imei\n"1', '\u0000']) {
    const { status, body } = await bulk(admin.token, csv)
    expect([status, Object.keys(body.fields)], csv).toEqual([422, ['csv']])
    expect(body.messages.join()).not.toMatch(/fields\./)
  }
  const huge = `imei,name\n${'1,"é\n"\n'.repeat(200_000)}`
  expect((await bulk(admin.token, huge)).body.fields?.csv?.[0]).toMatch(/1 MB|characters/)
})

describe('devices the company has', () => {
  test('change name, tag and limits only; what is empty or not named stays', async () => {
    const { admin, rows } = await fleet(2)
    const set = await bulk(
      admin.token,
      rows.map((row) => ({ ...row, tag: 'Old', temperatureMinC: 2, temperatureMaxC: 8 })),
    )
    const [a, b] = set.body.payload.rows.map((row: BulkRow) => row.deviceId)
    const before = (await trailOf(t, admin.companyId)).length
    const change = [
      { imei: String(rows[0]!.imei), tag: 'New', temperatureMaxC: '7.5', intervalS: 300 },
      { imei: String(rows[1]!.imei), tag: 'Old', temperatureMaxC: 8, intervalS: '' },
    ]
    const { body } = await bulk(admin.token, change)
    expect(body.payload).toMatchObject({
      applied: true,
      counts: { changes: 1, unchanged: 1, new: 0, error: 0 },
      rows: [
        { verdict: 'changes', changes: ['tag', 'temperatureMaxC'], ignored: ['intervalS'], deviceId: a },
        { verdict: 'unchanged', changes: [], deviceId: b },
      ],
    })
    const one = (await t.call('GET', `/devices/${a}`, { token: admin.token })).body.payload
    expect(one).toMatchObject({
      name: 'Fridge 1',
      tag: 'New',
      intervalS: 600,
      limits: { temperatureMinC: 2, temperatureMaxC: 7.5 },
    })
    const added = (await trailOf(t, admin.companyId)).slice(before)
    expect(added).toMatchObject([{ action: 'devices.changed', before: { tag: 'Old' }, after: { tag: 'New' } }])
  })

  test('the same file again changes nothing', async () => {
    const { admin, rows } = await fleet(2)
    await bulk(admin.token, rows)
    expect((await bulk(admin.token, rows)).body.payload.counts).toEqual({ error: 0, new: 0, changes: 0, unchanged: 2 })
  })

  test('limits that would cross those it has are refused', async () => {
    const { admin, rows } = await fleet(1)
    await bulk(admin.token, [{ ...rows[0]!, temperatureMinC: 2, temperatureMaxC: 8 }])
    const { body } = await bulk(admin.token, [{ imei: rows[0]!.imei!, temperatureMinC: 9 }])
    expect(faults(body.payload.rows)).toEqual([[2, 'error', 'temperatureMaxC']])
  })

  test('a device the person may not see is one in use, like any other', async () => {
    const { admin, rows, licenceKey } = await fleet(1)
    await bulk(admin.token, [{ ...rows[0]!, visibility: 'private' }])
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    const { body } = await bulk(manager.token, [{ ...rows[0]!, licenceKey: await buildKey(t) }])
    expect(body.payload.rows[0].problems).toEqual([
      {
        column: 'claimCode',
        message:
          'This IMEI and code cannot be claimed. Compare both with the label; a device in use must be released first.',
      },
    ])
    expect(JSON.stringify(body.payload)).not.toContain(licenceKey)
  })

  test('are still changed when the subscription has run out, while nothing new is set up', async () => {
    const { admin, rows } = await fleet(2)
    await bulk(admin.token, [rows[0]!])
    await t.change(admin.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
    const tag = [{ imei: rows[0]!.imei!, tag: 'x' }]
    expect((await bulk(admin.token, [...tag, rows[1]!], { dryRun: true })).body.payload.counts).toMatchObject({
      error: 1,
      changes: 1,
    })
    expect((await bulk(admin.token, tag)).body.payload.applied).toBe(true)
  })
})

test('of two who send one file at once, one sets the devices up', async () => {
  const { admin, rows } = await fleet(6)
  const answers = await Promise.all([bulk(admin.token, rows), bulk(admin.token, rows.toReversed())])
  const applied = answers.filter(({ body }) => body.payload?.counts.new === 6 && body.payload.applied)
  expect(applied).toHaveLength(1)
  expect(await total(admin.token)).toBe(6)
})

test('two thousand rows go through in one call', async () => {
  const count = 2000
  const admin = await buildUser(t)
  const licenceKey = await buildKey(t, { devices: count })
  const imeis = Array.from({ length: count }, () => newImei())
  await t.pool.query(
    "insert into hardware (imei, type, probes, secret_hash, claim_hash) select unnest($1::text[]), 'fridge', 1, '\\x00', unnest($2::bytea[])",
    [imeis, imeis.map((imei) => claimHash(imei, codeOf(imei)))],
  )
  const rows = imeis.map((imei, i) => ({
    imei,
    licenceKey,
    name: `Fridge ${i}`,
    tag: 'Lagos',
    preset: 'refrigerated',
    intervalS: 300,
  }))
  for (const [what, sent, dryRun] of [
    ['new, dry', rows, true],
    ['new', rows, false],
    ['changes', rows.map((row) => ({ ...row, tag: 'Abuja' })), false],
  ] as const) {
    const start = performance.now()
    const { body } = await bulk(admin.token, sent, { dryRun })
    console.log(`bulk of 2,000 ${what}: ${Math.round(performance.now() - start)} ms`)
    expect(body.payload.counts.error, what).toBe(0)
  }
  expect(await total(admin.token)).toBe(count)
}, 120_000)

describe('the groups of a row', () => {
  const groupsOf = async (token: string, id: string) =>
    (await t.call('GET', `/groups/${id}/devices`, { token })).body.payload.data.map(
      ({ name }: { name: string }) => name,
    )

  test('get its device, new or known; a file adds, and takes nothing out', async () => {
    const { admin, rows } = await fleet(2)
    const [vans, cold] = [
      await buildGroup(t, admin, { name: 'Vans' }),
      await buildGroup(t, admin, { name: 'Cold | room' }),
    ]
    const store = await buildGroup(t, admin, { name: 'Cold store' })
    Object.assign(rows[0]!, { groups: 'vans | COLD STORE' })
    Object.assign(rows[1]!, { groups: 'Vans' })
    const dry = await bulk(admin.token, rows, { dryRun: true })
    expect(dry.body.payload.counts).toMatchObject({ new: 2, error: 0 })
    expect(await groupsOf(admin.token, vans.id)).toEqual([])
    expect((await bulk(admin.token, rows)).body.payload.applied).toBe(true)
    expect(await groupsOf(admin.token, vans.id)).toEqual(['Fridge 1', 'Fridge 2'])
    expect(await groupsOf(admin.token, store.id)).toEqual(['Fridge 1'])
    expect(await groupsOf(admin.token, cold.id)).toEqual([])

    const again = await bulk(admin.token, [
      { imei: rows[0]!.imei!, groups: '' },
      { imei: rows[1]!.imei!, groups: 'Cold store|vans' },
    ])
    expect(again.body.payload.rows).toMatchObject([
      { verdict: 'unchanged', changes: [] },
      { verdict: 'changes', changes: ['groups'] },
    ])
    expect(await groupsOf(admin.token, store.id)).toEqual(['Fridge 1', 'Fridge 2'])
    const added = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'groups.devicesAdded')
    expect(added.map(({ target }) => target?.name)).toEqual(['Vans', 'Cold store', 'Cold store'])
  })

  test('that are not there, or another company’s, are a fault of the row and nothing is written', async () => {
    const { admin, rows } = await fleet(1)
    await buildGroup(t, await buildUser(t), { name: 'Theirs' })
    Object.assign(rows[0]!, { groups: 'Theirs' })
    const answer = await bulk(admin.token, rows)
    expect(answer.body.payload).toMatchObject({ applied: false, counts: { error: 1 } })
    expect(answer.body.payload.rows[0].problems).toEqual([
      { column: 'groups', message: 'There is no group “Theirs” that you see. Create it first.' },
    ])
    expect(await total(admin.token)).toBe(0)
  })

  test('are refused from a role that may set up devices but not fill groups', async () => {
    const { admin, rows } = await fleet(1)
    await buildGroup(t, admin, { name: 'Vans' })
    await setMatrix(t, admin.companyId, 'manager', only('devices.view', 'devices.addOrEdit', 'groups.view'))
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    Object.assign(rows[0]!, { groups: 'Vans' })
    expect(faults((await bulk(manager.token, rows)).body.payload.rows)).toEqual([[2, 'error', 'groups']])
  })
})
