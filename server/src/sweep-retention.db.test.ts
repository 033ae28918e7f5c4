import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { aTrigger } from '../test/alarm-factory.ts'
import { changing } from '../test/changed.ts'
import { describeApp } from '../test/describe-app.ts'
import { aDevice } from '../test/device-factory.ts'
import { buildUser, type TestUser } from '../test/factories.ts'
import { aLicence } from '../test/licence-factory.ts'
import { anOrder } from '../test/order-factory.ts'
import { buildRecord } from '../test/record-factory.ts'
import { buildClaim, buildGroupReport, buildReport } from '../test/report-factory.ts'
import { buildScheduledReport } from '../test/scheduled-report-factory.ts'
import { buildSession } from '../test/session-factory.ts'
import { aShipment } from '../test/shipment-factory.ts'
import { trailOf } from '../test/trail.ts'
import '../test/properties.ts'
import { Partitions } from './pipeline/store/partitions.ts'
import { asPipeline, inTenant } from './platform/db/transaction.ts'
import { sweepRetention } from './sweep-retention.ts'

vi.setConfig({ testTimeout: 300_000 })

const t = describeApp({ billing: { isOn: true, trialDays: 14 }, retentionDeletes: true })
const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(t.clock.now().getTime() - days * dayMs)
const sweep = () => sweepRetention.run(t.services, {})
const subjects = async (to: string) => (await t.mails()).filter((mail) => mail.to === to).map(({ subject }) => subject)

interface Old {
  companyId: number
  id: number
}

/** Stores a reading of a device at each instant, past the pipeline, which takes none that are so old. */
async function store({ companyId, id }: Old, instants: readonly Date[]) {
  await new Partitions(t.pool).ensure(instants.map((at) => at.getTime()))
  await asPipeline(t.pool, ({ client }) =>
    client.query(
      `insert into readings (measured_at, received_at, company_id, device_id, temperature_centi)
       select at, at, $1, $2, 400 from unnest($3::timestamptz[]) as at on conflict do nothing`,
      [companyId, id, instants],
    ),
  )
}

const left = async ({ companyId, id }: Old): Promise<number[]> =>
  (
    await t.rows<{ at: Date }>(
      'select measured_at as at from readings where company_id = $1 and device_id = $2 order by 1',
      [companyId, id],
    )
  ).map(({ at }) => at.getTime())

/** A company with a plan that keeps 12 months, and a device with a reading every fifth day of so many days. */
async function scene(days: number, retentionMonths: number | null = 12) {
  const user = await buildUser(t)
  const { companyId } = user
  await aLicence(t, companyId, { retentionMonths, days: 900 })
  const device = await aDevice(t, { companyId, name: 'Cold room', validFrom: daysAgo(days) })
  const instants = Array.from({ length: Math.floor(days / 5) }, (_, n) => daysAgo(days - n * 5))
  await store(device, instants)
  return { user, companyId, device, instants: instants.map((at) => at.getTime()) }
}

// Late readings are stored up to 24 months, and a month more stays for what they are judged with.
const keptDays = 25 * 31
const oldest = 1_200

test('nothing goes before it was announced twice and 90 days are over; then what nothing holds, each batch with its proof', async () => {
  const { user, companyId, device, instants } = await scene(oldest)
  await sweep()
  await sweep()
  expect(await subjects(user.email)).toEqual([expect.stringMatching(/^Readings from before .* will be deleted from /)])
  const { use } = (await t.call('GET', '/enterprise/entitlement', { token: user.token })).body.payload
  expect(use.deletion).toMatchObject({ months: 25, isAnnounced: true })
  t.clock.advance(59 * dayMs)
  await sweep()
  expect(await subjects(user.email)).toHaveLength(1)
  t.clock.advance(1 * dayMs)
  await sweep()
  await sweep()
  expect(await subjects(user.email)).toHaveLength(2)
  t.clock.advance(29.9 * dayMs)
  await sweep()
  expect(await left(device)).toEqual(instants)
  t.clock.advance(0.2 * dayMs)
  await sweep()
  const after = await left(device)
  expect(after.length).toBeLessThan(instants.length)
  // The calendar decides within some days; nothing younger than 25 months is gone.
  expect(Math.min(...after)).toBeGreaterThan(daysAgo(keptDays).getTime())
  expect(after).toEqual(instants.slice(-after.length))
  expect(instants.filter((at) => at > daysAgo(25 * 30).getTime()).every((at) => after.includes(at))).toBe(true)
  const proofs = (await trailOf(t, companyId)).filter(({ action }) => action === 'devices.readingsDeleted')
  expect(proofs).toEqual([
    expect.objectContaining({
      target: { kind: 'device', id: String(device.id), name: 'Cold room' },
      actor: { kind: 'system', name: 'retention' },
      after: {
        count: instants.length - after.length,
        from: new Date(instants[0] ?? 0).toISOString(),
        to: new Date(instants[instants.length - after.length - 1] ?? 0).toISOString(),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    }),
  ])
  await sweep()
  expect(await left(device)).toEqual(after)
})

test('a larger plan takes the announcement back, and stops a deletion that has begun from the same night on', async () => {
  const { user, companyId, device, instants } = await scene(oldest)
  await sweep()
  t.clock.advance(30 * dayMs)
  await aLicence(t, companyId, { retentionMonths: 60, days: 900 })
  await sweep()
  expect(await subjects(user.email)).toEqual([expect.stringMatching(/^Readings from/), 'Your readings stay'])
  t.clock.advance(300 * dayMs)
  for (let n = 0; n < 3; n++) await sweep()
  expect(await left(device)).toEqual(instants)

  const other = await scene(oldest)
  for (const days of [0, 60, 30]) {
    t.clock.advance(days * dayMs)
    await sweep()
  }
  await sweep()
  const after = await left(other.device)
  expect(after.length).toBeLessThan(other.instants.length)
  await aLicence(t, other.companyId, { retentionMonths: null, days: 900 })
  t.clock.advance(60 * dayMs)
  await sweep()
  expect(await left(other.device)).toEqual(after)
})

test('the second notice may be late, and the 30 days after it are not lost', async () => {
  const { user, device, instants } = await scene(oldest)
  await sweep()
  // The server was off.
  t.clock.advance(200 * dayMs)
  await sweep()
  t.clock.advance(29 * dayMs)
  await sweep()
  expect(await left(device)).toEqual(instants)
  expect(await subjects(user.email)).toHaveLength(2)
})

test('a company without a plan that runs loses nothing, nor one whose plan keeps all it has', async () => {
  const never = await scene(oldest, null)
  const ended = await scene(oldest)
  const young = await scene(300)
  await t.change(
    ended.companyId,
    `update licences set expires_at = now() - interval '200 days', starts_at = now() - interval '230 days' where company_id = $1`,
    [ended.companyId],
  )
  for (const days of [0, 60, 31, 1]) {
    t.clock.advance(days * dayMs)
    await sweep()
  }
  for (const { device, instants, user } of [never, ended, young]) {
    expect(await left(device)).toEqual(instants)
    expect(await subjects(user.email)).toEqual([])
  }
})

interface Span {
  from: Date
  until: Date
}

/** The excursion of a device, the only one it has. */
const anExcursion = ({ companyId, id }: Old, { from, until }: Span) =>
  asPipeline(t.pool, async ({ client }) => {
    await client.query('delete from excursions where company_id = $1 and device_id = $2', [companyId, id])
    await client.query(
      `insert into excursions (company_id, device_id, measure, side, start_at, end_at, ended_by, readings, peak_centi, peak_at,
         centi_ms, last_at, last_deviation_centi, last_hold_ms, recorded_at)
       values ($1, $2, 'temperature', 'above', $3, $4, 'inside', 1, 900, $3, 1, $3, 1, 1, $3)`,
      [companyId, id, from, until],
    )
  })

/** An annotation of an excursion that is there no more. */
const anAnnotation = ({ companyId, id: userId }: TestUser, { id }: Old) =>
  inTenant(t.pool, companyId, async ({ client }) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into excursion_annotations (company_id, device_id, measure, side, covers, note, changed_at, changed_by)
       values ($1, $2, 'humidity', 'above', tstzmultirange(tstzrange(now() - interval '1 day', now())), 'Door', now(), $3) returning id`,
      [companyId, id, userId],
    )
    if (!rows[0]) throw new Error('no annotation')
    return rows[0]
  })

type SetSpan = (span: Span) => Promise<unknown>

/** The files that were made of a device beside its own reports: of a group, by a schedule, of a shipment and of its cold treatment. */
async function issued(user: TestUser, deviceId: number, shipmentId: string): Promise<SetSpan[]> {
  const { companyId } = user
  const group = await buildGroupReport(t, user)
  const scheduled = await buildScheduledReport(t, user)
  const common = `period_from, period_to, timezone, locale, format, requested_by, requested_by_name, created_at, contents, device_ids, file_key`
  const values = `now(), now(), 'UTC', 'en', 'pdf', 1, 'Nobody', now(), '{}', array[${deviceId}], 'a-file'`
  await inTenant(t.pool, companyId, async ({ client }) => {
    await client.query(
      `insert into shipment_reports (company_id, shipment_id, number, kind, ${common}) values ($1, $2::int8, 1, 'journey', ${values})`,
      [companyId, shipmentId],
    )
    await client.query(
      `insert into cold_treatment_records (company_id, shipment_id, shipment_number, ${common}) values ($1, $2::int8, 1, ${values})`,
      [companyId, shipmentId],
    )
    await client.query(
      `with run as (
         insert into report_runs (company_id, report_id, kind, period_key, period_from, period_to, timezone, due_at, state, touched_at, device_ids)
         values ($1, $2::int8, 'manual', 'once', now(), now(), 'UTC', now(), 'ready', now(), array[${deviceId}]) returning id)
       insert into report_files (company_id, run_id, report_key, report_name, company_name, file_name, format, size_bytes, data_sha256, file_sha256, file_key, created_at)
       select $1, id, repeat('a', 32), 'Report', 'Company', 'report.pdf', 'pdf', 1, 'x', 'x', 'a-file', now() from run`,
      [companyId, scheduled.id],
    )
    await client.query(`update group_reports set device_ids = array[${deviceId}] where id = $1::int8`, [group.id])
  })
  return ['shipment_reports', 'cold_treatment_records', 'report_runs', 'group_reports'].map(
    (table) => (span: Span) =>
      inTenant(t.pool, companyId, ({ client }) =>
        client.query(`update ${table} set period_from = $2, period_to = $3 where company_id = $1`, [
          companyId,
          span.from,
          span.until,
        ]),
      ),
  )
}

/** One of each thing that holds readings of a device, and how its span is set. */
async function holders(user: TestUser, device: Old) {
  const { companyId } = user
  const { id: deviceId } = device
  const set = (sql: string, id: string) => (span: Span) =>
    changing(t.pool, companyId, ({ client }) => client.query(sql, [companyId, id, span.from, span.until]))
  const record = await buildRecord(t, { companyId, deviceIds: [deviceId], state: 'ended' })
  const order = await anOrder(t, { companyId, deviceIds: [deviceId] })
  const shipment = await aShipment(t, user, { devices: [{ device_id: deviceId }] })
  const claim = await buildClaim(t, user)
  const session = await buildSession(t, { companyId, deviceId, endedAt: t.clock.now() })
  const trigger = await aTrigger(t, user, { deviceId, normalAgo: 1 })
  const report = await buildReport(t, user)
  const note = await anAnnotation(user, device)
  const written = (sql: string) => (span: Span) =>
    asPipeline(t.pool, ({ client }) => client.query(sql, [companyId, deviceId, span.from, span.until]))
  return [
    set(`update records set start_at = $3, end_at = $4 where company_id = $1 and id = $2::int8`, record.id),
    set(
      `update orders set state = 'completed', started_at = $3, ended_at = $4 where company_id = $1 and id = $2::int8`,
      order.id,
    ),
    set(
      `update shipments set state = 'completed', started_at = $3, ended_at = $4 where company_id = $1 and id = $2::int8`,
      shipment.id,
    ),
    set(
      `update order_claims set device_ids = array[${deviceId}], period_from = $3, period_to = $4 where company_id = $1 and id = $2::int8`,
      claim.id,
    ),
    set(
      `update device_sessions set started_at = $3, ended_at = $4 where company_id = $1 and id = $2::int8`,
      session.id,
    ),
    written(
      `update alarm_triggers set breach_at = $3, normal_at = $4 where company_id = $1 and device_id = $2 and id = ${trigger.id}`,
    ),
    set(
      `update device_reports set device_id = ${deviceId}, period_from = $3, period_to = $4 where company_id = $1 and id = $2::int8`,
      report.id,
    ),
    set(
      'update excursion_annotations set covers = tstzmultirange(tstzrange($3, $4)) where company_id = $1 and id = $2::int8',
      note.id,
    ),
    (span: Span) => anExcursion(device, span),
    ...(await issued(user, deviceId, shipment.id)),
  ]
}

test('property: whatever is held, and however a query asks, nothing that is held goes, and all else does', async () => {
  const { user, companyId, device, instants } = await scene(oldest, 12)
  const setters = await holders(user, device)
  for (const days of [0, 60, 30]) {
    t.clock.advance(days * dayMs)
    await sweep()
  }
  await sweep()
  const [force] = await t.rows<{ cutAt: Date }>(
    'select cut_at as "cutAt" from retention_shrinks where company_id = $1 and months = 25',
    [companyId],
  )
  if (!force) throw new Error('nothing is in force')
  const cut = force.cutAt.getTime()
  const now = t.clock.now().getTime()
  const first = instants[0] ?? 0
  const span = fc.record({ start: fc.integer({ min: 0, max: oldest }), length: fc.integer({ min: 1, max: 90 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(span, { minLength: setters.length, maxLength: setters.length }),
      fc.boolean(),
      async (spans, isHostile) => {
        const held = spans.map(({ start, length }) => {
          const from = Math.min(first + start * dayMs, now - 2 * dayMs)
          return { from, until: Math.min(from + length * dayMs, now - dayMs) }
        })
        for (const [i, set] of setters.entries()) {
          const { from = 0, until = 0 } = held[i] ?? {}
          await set({ from: new Date(from), until: new Date(until) })
        }
        await store(
          device,
          instants.map((at) => new Date(at)),
        )
        if (isHostile) await asPipeline(t.pool, ({ client }) => client.query('delete from readings'))
        else await sweep()
        const margin = 7 * dayMs
        const isHeld = (at: number) => held.some(({ from, until }) => at >= from - margin && at < until + margin)
        expect(await left(device)).toEqual(instants.filter((at) => at >= cut || isHeld(at)))
      },
    ),
    { numRuns: 30 },
  )
})

test('the wall: nobody deletes readings of a company of which nothing is in force, nor as another role, nor moves the limit', async () => {
  const { companyId, device, instants } = await scene(oldest)
  await sweep()
  await asPipeline(t.pool, ({ client }) => client.query('delete from readings where company_id = $1', [companyId]))
  expect(await left(device)).toEqual(instants)
  for (const sql of [
    'delete from readings',
    'update retention_shrinks set cut_at = now(), months = 1',
    'delete from retention_shrinks',
  ])
    await expect(
      inTenant(t.pool, companyId, ({ client }) => client.query(sql)),
      sql,
    ).rejects.toThrow('permission denied')
})
