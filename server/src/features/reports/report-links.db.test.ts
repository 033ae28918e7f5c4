import { expect, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { reportScene, wantedReport as wanted } from '../../../test/report-scene.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { sweepKept } from '../../sweep-kept.ts'
import { mailRun } from './mail-run.ts'

// Each run is a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const { own, add, added, runsOf, run, load } = reportScene(() => ({ t, pipeline }))

test('its recipients get the PDF and links in their own language, once each; the addresses in the report’s', async () => {
  const { admin, device } = await own()
  const amina = await buildUser(t, { company: admin, role: 'staff', locale: 'sw' })
  const address = `outside${admin.id}@example.test`
  const report = await added(
    admin,
    wanted(device, { locale: 'fr', recipients: [{ userId: amina.id }, { email: amina.email }, { email: address }] }),
  )
  const done = await run(admin, report.id)
  const [mine, ...more] = await mailsTo(t, amina.email)
  expect(more).toHaveLength(0)
  expect(mine?.text).toMatch(/^Habari /)
  expect(mine?.attachments).toMatchObject([{ contentType: 'application/pdf' }])
  const [outside] = await mailsTo(t, address)
  expect(outside?.text).toMatch(/^Bonjour /)
  const link = /https?:\S+report-files\/\S+/.exec(outside?.text ?? '')?.[0]
  expect((await load(link)).file.subarray(0, 5).toString()).toBe('%PDF-')
  expect((await runsOf(admin, report.id))[0]?.mails).toEqual({ sent: 2, total: 2 })
  t.clock.advance(8 * day)
  expect((await load(link)).status).toBe(404)
  expect((await load(done.files[0]?.url)).status).toBe(404)
})

test('links: none without the right to export, none that can be guessed, none once the report is deleted', async () => {
  const { admin, device } = await own()
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'] }))
  const done = await run(admin, report.id)
  const seen = await runsOf(staff, report.id)
  expect(seen[0]?.files[0]).toMatchObject({ url: null, expiresAt: null })
  const url = done.files[0]?.url ?? ''
  expect((await load(`${url.slice(0, -3)}abc`)).status).toBe(404)
  const rows = await t.rows('select 1 from report_links where encode(token_hash, $1) = $2', [
    'base64',
    url.split('/').at(-1),
  ])
  expect(rows).toHaveLength(0)
  expect((await load(url)).status).toBe(200)
  await t.call('DELETE', `/report/${report.id}`, { token: admin.token })
  expect((await load(url)).status).toBe(404)
})

test('a mail’s links are good only while whom it was for is a recipient, is with the company and may see what they tell', async () => {
  const { admin, device } = await own({ visibility: 'private' })
  const [second, third] = [
    await buildUser(t, { company: admin, role: 'admin' }),
    await buildUser(t, { company: admin, role: 'admin' }),
  ]
  const [outside, stays] = [`leaves${admin.id}@example.test`, `stays${admin.id}@example.test`]
  const people = [{ userId: second.id }, { userId: third.id }]
  const recipients = [...people, { email: outside }, { email: stays }]
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'], recipients }))
  const done = await run(admin, report.id)
  const status = async (to: string) => {
    const text = (await mailsTo(t, to)).at(-1)?.text ?? ''
    return (await load(/https?:\S+report-files\/\S+/.exec(text)?.[0])).status
  }
  for (const to of [second.email, third.email, outside, stays]) expect(await status(to), to).toBe(200)
  const asAdmin = (method: 'DELETE' | 'PATCH', path: string, body?: object) =>
    t.call(method, path, { token: admin.token, ...(body && { body }) })
  expect((await asAdmin('PATCH', `/report/${report.id}`, { recipients: [...people, { email: stays }] })).status).toBe(
    200,
  )
  expect(await status(outside)).toBe(404)
  expect((await asAdmin('DELETE', `/users/${second.id}`)).status).toBe(200)
  expect(await status(second.email)).toBe(404)
  expect((await asAdmin('PATCH', `/users/${third.id}`, { role: 'staff' })).status).toBe(200)
  expect(await status(third.email)).toBe(404)
  expect(await status(stays)).toBe(200)
  expect((await load(done.files[0]?.url)).status).toBe(200)
})

test('who is taken off before the mail goes out gets none', async () => {
  const { admin, device } = await own()
  const [leaves, stays] = [`leaves${admin.id}@example.test`, `stays${admin.id}@example.test`]
  const input = wanted(device, {
    formats: ['csv'],
    contents: ['stats'],
    recipients: [{ email: leaves }, { email: stays }],
  })
  const report = await added(admin, input)
  await run(admin, report.id)
  await t.call('PATCH', `/report/${report.id}`, { token: admin.token, body: { recipients: [{ email: stays }] } })
  // As if the mail server had been away until now.
  const waiting = await inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx
      .updateTable('report_mails')
      .set({ sent_at: null })
      .where('company_id', '=', admin.companyId)
      .returning('id')
      .execute(),
  )
  for (const { id } of waiting) await mailRun.run(t.services, { companyId: admin.companyId, mailId: id })
  expect(await mailsTo(t, leaves)).toHaveLength(1)
  expect(await mailsTo(t, stays)).toHaveLength(2)
})

test('what is private stays so: a Manager sees neither the report of a private device nor the files that tell of one', async () => {
  const { admin, device } = await own({ visibility: 'private' })
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const hidden = await added(admin, wanted(device))
  expect((await t.call('GET', `/report/${hidden.id}`, { token: manager.token })).status).toBe(404)
  expect((await t.call('GET', `/report/${hidden.id}/runs`, { token: manager.token })).status).toBe(404)
  expect((await t.call('POST', `/report/${hidden.id}/run`, { token: manager.token, body: {} })).status).toBe(404)
  expect((await t.call('GET', '/report', { token: manager.token })).body.payload.data).toEqual([])
  expect((await add(manager, wanted(device))).status).toBe(422)
  const group = await buildGroup(t, admin, { deviceIds: [device.id] })
  const ofGroup = await added(admin, {
    ...wanted(device, { formats: ['csv'], contents: ['stats'] }),
    deviceIds: [],
    groupIds: [group.id],
  })
  const done = await run(admin, ofGroup.id)
  expect(done.files[0]?.url).not.toBeNull()
  expect((await runsOf(manager, ofGroup.id))[0]).toMatchObject({ files: [], devices: null, readings: null })
  // Saved by the Manager it tells what the Manager sees: nothing.
  await t.call('PATCH', `/report/${ofGroup.id}`, { token: manager.token, body: { name: 'Mine now' } })
  expect(await run(manager, ofGroup.id)).toMatchObject({ state: 'failed', failure: 'noDevices' })
})

test('of a run about private devices people who may not see them are told that it was made, and get nothing of it', async () => {
  const { admin, device } = await own({ visibility: 'private' })
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const address = `outside${admin.id}@example.test`
  const recipients = [{ userId: staff.id }, { userId: admin.id }, { email: address }]
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'], recipients }))
  const done = await run(admin, report.id)
  const mailTo = async (to: string) => (await mailsTo(t, to)).at(-1)
  const withheld = await mailTo(staff.email)
  expect(withheld?.text).toContain('private devices')
  expect(withheld?.text).not.toContain(done.files[0]?.key)
  expect(JSON.stringify(withheld)).not.toMatch(/report-files|attachments/)
  for (const to of [admin.email, address]) expect((await mailTo(to))?.text).toContain('/report-files/')
})

test('an address that a Manager named gets no file about a private device, until an Admin vouches for it (L29)', async () => {
  const { admin, device } = await own()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const email = `boss${admin.id}@example.test`
  const settings = { formats: ['csv'], contents: ['stats'], recipients: [{ email }] }
  const report = await added(manager, wanted(device, settings))
  const change = (user: TestUser, path: string, body: object) => t.call('PATCH', path, { token: user.token, body })
  await change(admin, `/devices/${device.id}`, { visibility: 'private' })
  const saved = await change(admin, `/report/${report.id}`, { name: 'Mine now', recipients: [{ email }] })
  expect(saved.body.payload).toMatchObject({
    recipients: [{ email, hearsPrivate: false }],
    privateDevices: [{ id: String(device.id) }],
    privateDeviceCount: 1,
  })
  await run(admin, report.id)
  expect(JSON.stringify(await mailsTo(t, email))).not.toMatch(/report-files|attachments/)
  const vouched = { recipients: [{ email, vouched: true }] }
  expect((await change(admin, `/report/${report.id}`, vouched)).status).toBe(200)
  await run(admin, report.id)
  expect((await mailsTo(t, email)).at(-1)?.text).toContain('/report-files/')
})

test('a device that became private since takes the files of its group’s report from who may not see it', async () => {
  const { admin, device } = await own()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const group = await buildGroup(t, admin, { deviceIds: [device.id] })
  const settings = { formats: ['csv'], contents: ['stats'], deviceIds: [], groupIds: [group.id] }
  const report = await added(admin, wanted(device, settings))
  await run(admin, report.id)
  const urlFor = async (user: TestUser) => (await runsOf(user, report.id))[0]?.files[0]?.url
  expect(await urlFor(manager)).toMatch(/^http/)
  await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: { visibility: 'private' } })
  expect((await runsOf(manager, report.id))[0]?.files).toEqual([])
  expect(await urlFor(admin)).toMatch(/^http/)
})

test('a file that is no longer kept has no link, and its hash is verified still', async () => {
  const { admin, device } = await own()
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'] }))
  const done = await run(admin, report.id)
  const keys = await inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx.selectFrom('report_files').select('file_key').where('run_id', '=', done.id).execute(),
  )
  t.clock.advance(401 * day)
  await sweepKept.run(t.services, {})
  const someday = await buildUser(t, { company: admin })
  const later = (await runsOf(someday, report.id))[0]
  expect(later?.files[0]).toMatchObject({ url: null, sha256: done.files[0]?.sha256 })
  expect(later?.files[0]?.removedAt).not.toBeNull()
  expect(await openFiles(t.services.config).read(keys[0]?.file_key ?? '')).toBeUndefined()
  const verified = await t.call('GET', `/verify-report/${done.files[0]?.key}`)
  expect(verified.body.payload).toMatchObject({ fileSha256: done.files[0]?.sha256, readings: 48 })
})
