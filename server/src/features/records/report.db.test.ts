import { createHash } from 'node:crypto'
import type { Limits } from '@isotherm/contract/device-limits.ts'
import type { VerifiedReport } from '@isotherm/contract/device-reports.ts'
import { extractText } from 'unpdf'
import { expect, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { giveLogo, logoPng } from '../../../test/logo-factory.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { picturesOf } from '../../../test/pictures-of.ts'

// Each report is a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute

/** A record of six hours of two devices, one of them too warm for half an hour, with a budget and a note. */
async function finished(limits: Partial<Limits> = {}) {
  const admin = await buildUser(t)
  const from = t.clock.now().getTime() - 12 * hour
  const device = (name: string) =>
    aDevice(t, { companyId: admin.companyId, name, intervalS: 600, validFrom: new Date(from - 48 * hour), limits })
  const [van, box] = [await device('Van 12'), await device('Box 3')]
  for (const [own, warm] of [
    [van, true],
    [box, false],
  ] as const) {
    const readings = Array.from({ length: 36 }, (_, i) => ({
      at: new Date(from + i * 10 * minute),
      temperatureC: warm && i >= 10 && i < 13 ? 9.5 : 5,
      lat: 6.45 + i / 1000,
      lon: 3.39 + i / 1000,
    }))
    await pipeline.send(own, readings)
  }
  const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    t.call(method, path, { token: admin.token, ...(body !== undefined && { body }) })
  const made = await ask('POST', '/enterprise/record', {
    name: 'Insulin 77',
    lot: 'INS-9',
    deviceIds: [String(van.id), String(box.id)],
    startAt: new Date(from).toISOString(),
    endAt: new Date(from + 6 * hour).toISOString(),
    budget: { aboveC: 8, aboveMinutes: 120, neverAboveC: 25 },
    note: 'Loaded at the dock',
  })
  const id: string = made.body.payload.id
  const sign = async () => {
    const { contentSha256 } = (await ask('GET', `/enterprise/record/${id}`)).body.payload
    const body = { meaning: 'approved', reason: 'Within its budget', password, contentSha256 }
    expect((await ask('POST', `/enterprise/record/${id}/signatures`, body)).status).toBe(200)
  }
  const report = async (choice?: object) => {
    const asked = await ask('POST', `/enterprise/record/${id}/report`, choice)
    expect(asked.status, JSON.stringify(asked.body)).toBe(200)
    await t.runJobs()
    const [first] = (await ask('GET', `/enterprise/record/${id}/reports`)).body.payload
    expect(first).toMatchObject({ state: 'ready', failure: null })
    const { rawPayload } = await t.app.inject({
      method: 'GET',
      url: `/app/api/v1/enterprise/record-reports/${first.id}/file`,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const text = (await extractText(new Uint8Array(rawPayload), { mergePages: true })).text.replace(/\s+/g, ' ')
    return { told: first, file: rawPayload, text }
  }
  return { admin, id, ask, sign, report, van, from }
}

test('a report tells the record, its devices, the budget, the note and the signature, and is verified by its hash', async () => {
  const { sign, report, admin } = await finished()
  await sign()
  const { told, file, text } = await report()
  for (const part of ['Insulin 77', 'INS-9', 'Van 12', 'Box 3', 'Loaded at the dock', 'Approved', 'Within its budget'])
    expect(text, part).toContain(part)
  expect(text).toContain(admin.fullname)
  expect(text).toContain('Supports 21 CFR Part 11')
  expect(text).not.toMatch(/compliant/i)
  expect(text).toMatch(/30 min used, 30 min of it in this record/)
  expect(text).not.toContain('VOID')
  expect(told.pages).toBeGreaterThanOrEqual(5)
  const verified: VerifiedReport = (await t.call('GET', `/verify-report/${told.key}`)).body.payload
  expect(verified).toMatchObject({ deviceName: 'Insulin 77', readings: 72 })
  expect(verified.fileSha256).toBe(createHash('sha256').update(file).digest('hex'))
  expect((await mailsTo(t, admin.email)).at(-1)?.subject).toContain('Insulin 77')
})

test('its contents and its language can be chosen', async () => {
  const { report } = await finished({ temperatureMaxC: 8 })
  const { told, text } = await report({ contents: ['excursions'], locale: 'es', recipients: [] })
  expect(told.contents).toEqual(['excursions'])
  expect(text).toContain('Insulin 77')
  expect(text).toContain('Excursiones')
  for (const left of ['Estadísticas', 'Recorrido', '+00:00']) expect(text, left).not.toContain(left)
})

test('a report after a late reading tells that the signature is void, and why', async () => {
  const { sign, report, van, from } = await finished()
  await sign()
  await pipeline.send(van, [{ at: new Date(from + 5 * minute), temperatureC: 5 }])
  const { text } = await report()
  expect(text).toContain('VOID')
  expect(text).toContain('Changed since it was signed: readings.')
})

test('two reports of the same data have the same data hash; what is said of an excursion is printed, and voids no signature', async () => {
  const { report, sign, ask } = await finished({ temperatureMaxC: 8 })
  await sign()
  const first = await report()
  const { payload } = (await ask('GET', '/excursions')).body
  const body = { ids: [payload.data[0].id], cause: 'loading', note: 'Dock 4' }
  expect((await ask('PATCH', '/excursions', body)).status).toBe(200)
  const second = await report()
  expect(second.told.dataSha256).toBe(first.told.dataSha256)
  expect(second.text).toContain('Loading or unloading')
  expect(second.text).toContain('Dock 4')
  expect(second.text).not.toContain('VOID')
})

test('the logo of the company is on the first page; hash and signature of a record do not know it', async () => {
  const { report, sign, ask, admin, id } = await finished()
  await sign()
  const hash = async () => (await ask('GET', `/enterprise/record/${id}`)).body.payload.contentSha256
  const before = { hash: await hash(), ...(await report()) }
  await giveLogo(t, admin, logoPng({ width: 600, height: 120 }))
  const after = { hash: await hash(), ...(await report()) }
  expect([await picturesOf(before.file), await picturesOf(after.file)]).toEqual([[], ['472x94']])
  expect(await picturesOf(after.file, 2)).toEqual([])
  expect(after.hash).toBe(before.hash)
  expect(after.told.dataSha256).toBe(before.told.dataSha256)
  expect(after.told.pages).toBe(before.told.pages)
  expect(after.text).not.toContain('VOID')
})

test('a record that has not begun has no report', async () => {
  const { ask, van } = await finished()
  const startAt = new Date(t.clock.now().getTime() + hour).toISOString()
  const made = await ask('POST', '/enterprise/record', { name: 'Later', deviceIds: [String(van.id)], startAt })
  expect((await ask('POST', `/enterprise/record/${made.body.payload.id}/report`)).body.code).toBe('RECORD_NOT_STARTED')
})
