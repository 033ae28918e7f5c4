import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildCompany, buildUser } from './factories.ts'

const t = describeApp()

/** A company with a public group, a private one, a record of devices, one of the group, a report and an alarm; names that begin as formulas do. */
async function stocked() {
  const company = await buildCompany(t)
  const [admin, manager] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'manager' })]
  const device = await aDevice(t, { ...company, name: '=Box', visibility: 'public' })
  const hidden = await aDevice(t, { ...company, name: 'Hidden box', visibility: 'private' })
  const post = async (path: string, body: object) => {
    const answer = await t.call('POST', path, { token: admin.token, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.payload.id as string
  }
  const deviceIds = [String(device.id), String(hidden.id)]
  const group = await post('/groups', { name: '=Route', deviceIds })
  await post('/groups', { name: 'Secret', visibility: 'private' })
  const window = { startAt: '2026-01-05T08:00:00Z', endAt: '2026-01-06T08:00:00Z' }
  await post('/enterprise/record', { name: 'Trip, "A"', lot: '+1', deviceIds: deviceIds.slice(0, 1), ...window })
  await post('/enterprise/record', { name: 'Secret trip', deviceIds: deviceIds.slice(1), ...window })
  await post(`/grouprecords/${group}`, { name: 'Tour', ...window })
  const email = 'qa@example.test'
  const asked = { cadence: 'weekly', timezone: 'Africa/Lagos', groupIds: [group], recipients: [{ email }] }
  await post('/report', { name: 'Every week', ...asked })
  const rule = { kind: 'value', temperatureMaxC: 8, delayMinutes: 10 }
  const recipients = [{ userId: admin.id, channels: ['app', 'mail'] }]
  await post('/alarms', {
    name: '=HYPERLINK("x")',
    rule,
    recipients,
    groupIds: [group],
    deviceIds: [String(device.id)],
  })
  await post('/alarms', {
    name: 'Secret alarm',
    visibility: 'private',
    rule,
    recipients,
    deviceIds: [String(hidden.id)],
  })
  const read = async (path: string, user = admin) => {
    const { status, headers, body } = await t.call('GET', path, { token: user.token })
    expect([status, headers['content-type']], path).toEqual([200, 'text/csv; charset=utf-8'])
    const rows: Record<string, string>[] = parse(String(body), { bom: true, columns: true })
    return { rows, names: rows.map(({ name }) => name) }
  }
  return { admin, manager, group, read }
}

test('groups, their devices, records, reports and alarms are exported as CSV: what the search leaves, and no formula', async () => {
  const { admin, group, read } = await stocked()
  expect((await read('/groups/export')).names).toEqual(["'=Route", 'Secret'])
  const [route] = (await read('/groups/export?search=route')).rows
  expect(route).toMatchObject({ devices: '2', members: '0', visibility: 'public', temperature_min_c: '' })
  expect((await read(`/groups/${group}/devices/export`)).names).toEqual(["'=Box", 'Hidden box'])
  expect((await read(`/groups/${group}/devices/export?search=hid`)).names).toEqual(['Hidden box'])
  const [trip] = (await read('/enterprise/records/export?search=trip&sort=-name')).rows
  expect(trip).toMatchObject({
    ...{ name: 'Trip, "A"', lot: "'+1", state: 'ended', ended_by: 'hand', start_utc: '2026-01-05T08:00:00.000Z' },
    ...{ devices: '1', excursions: '0', budget: 'no', signature: '' },
  })
  expect((await read(`/grouprecords/${group}/export`)).names).toEqual(['Tour'])
  expect((await read(`/grouprecords/${group}/export?state=planned`)).names).toEqual([])
  const [report] = (await read('/report/export')).rows
  expect(report).toMatchObject({
    ...{ name: 'Every week', cadence: 'weekly', weekday: '1', month_day: '', time: '07:00', groups: "'=Route" },
    ...{ recipients: 'qa@example.test', paused: 'no', last_run_state: '' },
  })
  const [alarm] = (await read('/alarms/export?search=hyper')).rows
  expect(alarm).toMatchObject({
    ...{
      name: `'=HYPERLINK("x")`,
      severity: 'warning',
      visibility: 'public',
      groups: "'=Route",
      snoozed_until_utc: '',
    },
    ...{ recipients: `${admin.fullname} (app mail)`, open_triggers: '0', last_triggered_utc: '' },
  })
  expect(alarm?.rule?.replace(/\s/g, ' ')).toBe('Temperature above 8.0 °C for 10 min')
  expect((await read('/alarms/export?kind=fence')).rows).toEqual([])
})

test('an export holds what its reader may see, and is in the audit trail', async () => {
  const { admin, manager, group, read } = await stocked()
  expect((await read('/groups/export', manager)).names).toEqual(["'=Route"])
  expect((await read(`/groups/${group}/devices/export`, manager)).names).toEqual(["'=Box"])
  expect((await read('/enterprise/records/export', manager)).names).toEqual(['Trip, "A"'])
  expect((await read('/alarms/export')).names).toEqual([`'=HYPERLINK("x")`, 'Secret alarm'])
  expect((await read('/alarms/export', manager)).names).toEqual([`'=HYPERLINK("x")`])
  const { payload } = (await t.call('GET', '/audit-log', { token: admin.token })).body
  const actions = payload.data.map(({ action }: { action: string }) => action)
  expect(actions.slice(0, 5)).toEqual([
    'alarms.exported',
    'alarms.exported',
    'records.exported',
    'groups.devicesExported',
    'groups.exported',
  ])
})
