import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { asLogin } from '../src/platform/db/transaction.ts'
import { describeApp, describePipeline } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildUser, type TestUser } from './factories.ts'

// State of older installations, from before hardware belonged to one company: two companies on one tracker.

const t = describeApp()
const pipeline = describePipeline(t)
beforeAll(async () => {
  await t.pool.query(`alter table assignments drop constraint assignments_one_company,
    drop constraint assignments_shared_are_over, drop column shared`)
})

const hour = 3_600_000
const ago = (hours: number) => new Date(t.clock.now().getTime() - hours * hour)

/** A device that measures with a probe of another's hardware. */
async function onProbe(user: TestUser, imei: string, probe: number, from: Date, to: Date | null = null) {
  const device = await aDevice(t, user)
  await asOwner(
    'update assignments set imei = $1, probe = $2, valid_from = $3, valid_to = $4 where company_id = $5 and device_id = $6',
    [imei, probe, from, to, user.companyId, device.id],
  )
  return device
}

const noteAllSql = `insert into settings_changes (subject) select 'imei:' || imei from hardware`

/** As the owner of the table, whom the tenant wall stops otherwise. */
async function asOwner(sql: string, values: unknown[] = []) {
  await t.pool.query('alter table assignments no force row level security')
  try {
    return await asLogin(t.pool, async ({ client }) => {
      await client.query(noteAllSql)
      return (await client.query(sql, values)).rows
    })
  } finally {
    await t.pool.query('alter table assignments force row level security')
  }
}

const pause = (user: TestUser, id: number) =>
  t.call('PATCH', `/devices/${id}`, { token: user.token, body: { transmission: 'paused' } })
const isWaiting = async (user: TestUser, id: number) =>
  (await t.call('GET', `/devices/${id}`, { token: user.token })).body.payload.waiting.length > 0

test('a tracker of two companies obeys the one with the lowest probe, and answers for no other (C1)', async () => {
  const [owner, other] = [await buildUser(t), await buildUser(t)]
  const device = await aDevice(t, owner)
  const foreign = await onProbe(other, device.imei, 2, ago(30))
  await pause(other, foreign.id)
  expect((await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4 }])).commands).toEqual([])
  const rows = await t.rows<{ id: string }>('select id::text from device_commands where company_id = $1', [
    other.companyId,
  ])
  expect(rows).toHaveLength(1)
  await pause(owner, device.id)
  const { commands } = await pipeline.ack(device, [])
  expect(commands).toHaveLength(1)
  await pipeline.ack(
    device,
    [...rows.map(({ id }) => id), ...commands.map(({ commandId }) => commandId)].map((commandId) => ({
      commandId,
      at: t.clock.now().toISOString(),
      ok: true,
    })),
  )
  expect([await isWaiting(owner, device.id), await isWaiting(other, foreign.id)]).toEqual([false, true])
})

test('the migrations leave a shared tracker to one company, and every period as history (C1)', async () => {
  const [first, second, third] = [await buildUser(t), await buildUser(t), await buildUser(t)]
  // The lowest probe decides, though the other came first.
  const low = await aDevice(t, { ...first, validFrom: ago(5) })
  const high = await onProbe(second, low.imei, 2, ago(20))
  // The past of two devices on one probe of different hardware may overlap, too.
  const now = await aDevice(t, { ...third, validFrom: ago(50) })
  const past = await onProbe(second, now.imei, 3, ago(40), ago(30))
  const alone = await aDevice(t, second)

  await t.pool.query('update hardware set owner_id = null')
  for (const file of ['0023_hardware_of_one_company.sql', '0024_claim_codes.sql']) {
    const sql = await readFile(new URL(`../migrations/${file}`, import.meta.url), 'utf8')
    // The columns are there already: the factories write them.
    await t.pool.query(
      `${noteAllSql}; set constraints all immediate; ${sql.replaceAll(/^alter table hardware add column .*;$/gm, '')}`,
    )
  }

  const rows = await asOwner(
    'select device_id, shared, valid_to is null as present from assignments where imei = any($1) order by device_id',
    [[low.imei, now.imei, alone.imei]],
  )
  expect(rows).toEqual(
    [
      { device_id: low.id, shared: false, present: true },
      { device_id: high.id, shared: true, present: false },
      { device_id: now.id, shared: false, present: true },
      { device_id: past.id, shared: true, present: false },
      { device_id: alone.id, shared: false, present: true },
    ].sort((a, b) => a.device_id - b.device_id),
  )
  const owners = await t.pool.query('select imei, owner_id from hardware where imei = any($1) order by imei', [
    [low.imei, now.imei, alone.imei],
  ])
  expect(owners.rows.map((row) => [row.imei, row.owner_id])).toEqual([
    [low.imei, first.companyId],
    [now.imei, third.companyId],
    [alone.imei, second.companyId],
  ])
  // From here on the database refuses it, whoever writes.
  await expect(
    asOwner('insert into assignments (company_id, device_id, imei, probe, valid_from) values ($1, $2, $3, 9, now())', [
      second.companyId,
      high.id,
      low.imei,
    ]),
  ).rejects.toThrow('assignments_one_company')
})
