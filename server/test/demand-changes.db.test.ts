import { expect, test } from 'vitest'
import { noteCompany, noteDevices } from '../src/core/devices/settings-changes.ts'
import { readAssignments, readDevices } from '../src/pipeline/ingest/directory-queries.ts'
import { asPipeline, inTenant } from '../src/platform/db/transaction.ts'
import { anAlarm } from './alarm-factory.ts'
import { demandedTables } from './demand-changes.ts'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildGroup } from './group-factory.ts'
import { buildGeofence } from './place-factory.ts'
import { buildRecord } from './record-factory.ts'

const t = describeApp()

const refused = (table: string) => new RegExp(`of ${table} without a settings change`)

test('in tests a transaction that changes what the pipeline keeps in memory fails without a settings change', async () => {
  const device = await aDevice(t)
  const { companyId } = device
  const other = await aDevice(t, { companyId })
  const alarm = await anAlarm(t, device, { deviceIds: [device.id] })
  const group = await buildGroup(t, device, { deviceIds: [device.id] })
  const fence = await buildGeofence(t, { companyId })
  const change = (sql: string, values: unknown[]) =>
    inTenant(t.pool, companyId, ({ client }) => client.query(sql, values))
  const statements: [table: string, sql: string, values: unknown[]][] = [
    ['assignments', 'update assignments set valid_to = now() where device_id = $1', [other.id]],
    [
      'device_limits',
      'insert into device_limits (company_id, device_id, valid_from) values ($1, $2, now())',
      [companyId, device.id],
    ],
    ['device_intervals', 'update devices set interval_s = interval_s + 60 where id = $1', [device.id]],
    [
      'device_commands',
      `insert into device_commands (company_id, device_id, kind, value) values ($1, $2, 'power', '{}')`,
      [companyId, device.id],
    ],
    ['alarms', `update alarms set severity = 'critical' where id = $1`, [alarm.id]],
    ['alarm_targets', 'delete from alarm_targets where alarm_id = $1', [alarm.id]],
    ['group_devices', 'delete from group_devices where group_id = $1', [group.id]],
    ['geofences', `update geofences set name = 'Yard' where id = $1`, [fence.id]],
  ]
  for (const [table, sql, values] of statements)
    await expect(change(sql, values), table).rejects.toThrow(refused(table))
  await expect(
    t.pool.query(`update hardware set secret_hash = '\\x00' where imei = $1`, [device.imei]),
  ).rejects.toThrow(refused('hardware'))
  // Nobody keeps these in memory.
  await change(`update alarms set snoozed_until = now() where id = $1`, [alarm.id])
  await change(`update devices set name = 'Other' where id = $1`, [device.id])
  await t.pool.query('update hardware set claim_hash = null where imei = $1', [device.imei])
})

test('the settings change must be of that device or company', async () => {
  const device = await aDevice(t)
  const { companyId } = device
  const slower = (note: Parameters<typeof inTenant<void>>[2]) =>
    inTenant(t.pool, companyId, async (transaction) => {
      await transaction.client.query('update devices set interval_s = interval_s + 1 where id = $1', [device.id])
      await note(transaction)
    })
  await expect(slower(({ tx }) => noteDevices(tx, [{ companyId, deviceId: device.id + 1 }]))).rejects.toThrow(
    refused('device_intervals'),
  )
  await slower(({ tx }) => noteDevices(tx, [{ companyId, deviceId: device.id }]))
  await slower(({ tx }) => noteCompany({ tx, companyId }))
})

test('a record must be announced only where an alarm counts within records', async () => {
  const device = await aDevice(t)
  const { id } = await buildRecord(t, { companyId: device.companyId, deviceIds: [device.id] })
  const move = () =>
    inTenant(t.pool, device.companyId, ({ client }) =>
      client.query(`update records set start_at = start_at - interval '1 s' where id = $1`, [id]),
    )
  await move()
  const rule = { kind: 'value', temperatureMaxC: 8, cumulative: { minutes: 10, window: 'record' } }
  await anAlarm(t, device, { deviceIds: [device.id], rule })
  await expect(move()).rejects.toThrow(refused('records'))
})

test('every table that the directory reads demands its settings changes', async () => {
  const device = await aDevice(t)
  const fence = await buildGeofence(t, device)
  const rules = [
    { kind: 'fence', direction: 'in', geofenceIds: [fence.id] },
    { kind: 'value', temperatureMaxC: 8, cumulative: { minutes: 10, window: 'record' } },
  ]
  for (const rule of rules) await anAlarm(t, device, { deviceIds: [device.id], rule })
  await buildRecord(t, { companyId: device.companyId, deviceIds: [device.id] })
  const read = await asPipeline(t.pool, async ({ client }) => {
    const scans = async () => {
      const { rows } = await client.query<{ table: string; n: number }>(
        'select relname as table, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as n from pg_stat_xact_user_tables',
      )
      return new Map(rows.map(({ table, n }) => [table, n]))
    }
    const before = await scans()
    const [found] = await readDevices(client, await readAssignments(client, [device.imei]), 1, new Map())
    expect(found).toMatchObject({ alarms: [{}, {}], records: [{}], places: [{}] })
    return [...(await scans())].flatMap(([table, n]) => (n > (before.get(table) ?? 0) ? [table] : []))
  })
  expect(read).toEqual(
    expect.arrayContaining(['assignments', 'device_commands', 'group_devices', 'points_of_interest']),
  )
  // The clock of a sandbox is read anew for each sweep and never taken from memory.
  expect(read.filter((table) => !demandedTables.includes(table) && table !== 'sandbox_clocks')).toEqual([])
})
