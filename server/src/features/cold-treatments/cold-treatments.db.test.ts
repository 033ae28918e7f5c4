import { writeFile } from 'node:fs/promises'
import type { MonitoringRecord, ProtocolChoice, ShipmentTreatment } from '@isotherm/contract/cold-treatments.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { Notification } from '@isotherm/contract/notifications.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aCalibration } from '../../../test/export-factory.ts'
import { buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { textOf } from '../../../test/text-of.ts'
import { aTreatedShipment } from '../../../test/treatment-factory.ts'
import { coldProtocols } from '../../domain/cold-protocols.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { sweepTreatments } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const hourMs = 3_600_000
const day = 24 * hourMs
/** A whole hour, so that hours of readings are hours of the clock. */
const thisHour = () => Math.floor(t.clock.now().getTime() / hourMs) * hourMs
const at = (hoursAgo: number) => new Date(thisHour() - hoursAgo * hourMs)
const sweep = () => sweepTreatments.run(t.services, {})
const get = async <T>(user: TestUser, path: string): Promise<T> => {
  const { status, body } = await t.call('GET', path, { token: user.token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}
const pathOf = (id: string) => `/export/shipments/${id}/cold-treatment`

/** A reading each hour, the last one included; `warm`: another temperature so many hours ago. */
const hourly = (from: number, to: number, celsius: number, warm: Record<number, number> = {}) =>
  Array.from({ length: from - to + 1 }, (_, index) => ({
    at: at(from - index),
    temperatureC: warm[from - index] ?? celsius,
  }))

interface SceneOptions {
  hours?: number
  warm?: Record<number, number>
  /** Readings that the third probe has not sent yet: hours ago, from and to. */
  missing?: [number, number]
  visibility?: 'public' | 'private'
  protocolId?: string | null
  etaIn?: number
}

async function scene({
  hours = 100,
  warm,
  missing,
  visibility = 'public',
  protocolId = 'us-t107-a',
  etaIn,
}: SceneOptions = {}) {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const manager = await buildUser(t, { company: { companyId }, role: 'manager' })
  const all = hourly(hours, 0, 1, warm)
  const [from = 0, to = 0] = missing ?? []
  const late = all.filter((one) => one.at >= at(from) && one.at < at(to))
  const devices = []
  for (const name of ['Probe A', 'Probe B', 'Probe C'])
    devices.push(
      await aDevice(t, {
        ...{
          companyId,
          name,
          intervalS: 3600,
          validFrom: at(hours + 1),
          visibility: name === 'Probe C' ? visibility : 'public',
        },
        readings: name === 'Probe C' ? all.filter((one) => !late.includes(one)) : all,
      }),
    )
  const shipment = await aTreatedShipment(t, {
    ...{ companyId, probes: devices.map(({ id }) => id), startedAt: at(hours) },
    eta: etaIn === undefined ? null : new Date(thisHour() + etaIn * hourMs),
    ...(protocolId && { protocolId }),
  })
  const [, , third] = devices
  if (!third) throw new Error('no third probe')
  return { companyId, admin, manager, devices, third, shipment, late }
}
const eventsOf = async (id: string) =>
  (
    await t.rows<{ kind: string }>(
      `select kind from shipment_events where shipment_id = ${id} and source = 'job' order by id`,
    )
  ).map(({ kind }) => kind)

test('protocols say what was verified; the others are off until the export settings allow them', async () => {
  const user = await buildUser(t)
  const offOf = async () =>
    (await get<ProtocolChoice[]>(user, '/export/cold-treatment/protocols'))
      .filter((one) => !one.isAllowed)
      .map(({ id }) => id)
  expect(await offOf()).toEqual(coldProtocols.filter(({ verified }) => !verified).map(({ id }) => id))
  await t.change(
    user.companyId,
    `insert into export_settings (company_id, allows_unverified, updated_at) values ($1, true, now())`,
    [user.companyId],
  )
  expect(await offOf()).toEqual([])
})

test('a protocol is chosen for probes in fruit, worked out at once, and kept as it was', async () => {
  const { admin, shipment, devices } = await scene({ protocolId: null })
  expect(await get<ShipmentTreatment>(admin, pathOf(shipment.id))).toMatchObject({
    ...{ treatment: null, hiddenProbes: 0, airDevices: 0 },
    probes: ['Probe A', 'Probe B', 'Probe C'].map((name, index) => ({
      name,
      place: `pulp${index + 1}`,
      offsetC: null,
    })),
  })
  const put = (body: object) => t.call('PUT', pathOf(shipment.id), { token: admin.token, body })
  expect((await put({ protocolId: 'none' })).status).toBe(404)
  expect((await put({ protocolId: 'us-fcm' })).body.code).toBe('PROTOCOL_UNVERIFIED')
  const { status, body } = await put({ protocolId: 'us-t107-a' })
  expect(status).toBe(200)
  const { treatment } = body.payload as ShipmentTreatment
  expect(treatment).toMatchObject({
    protocol: { id: 'us-t107-a', verified: true, checkedOn: '2026-11-22' },
    clock: {
      ...{ state: 'running', startedAt: at(99).toISOString(), provenMs: 99 * hourMs, row: { maxC: 1.11, days: 14 } },
      ...{ forecastAt: new Date(at(99).getTime() + 14 * day).toISOString(), marginC: 0.11 },
      limiting: { deviceId: String(devices[0]?.id), celsius: 1 },
    },
  })
  expect(treatment?.hours).toHaveLength(101)
  expect((await put({ protocolId: 'au-il-medfly' })).body.code).toBe('CHANGED_MEANWHILE')
  expect((await put({ protocolId: 'au-il-medfly', version: treatment?.version })).status).toBe(200)
  const gone = await t.call('DELETE', pathOf(shipment.id), { token: admin.token })
  expect(gone.status).toBe(200)
  expect((await get<ShipmentTreatment>(admin, pathOf(shipment.id))).treatment).toBeNull()
  expect((await t.call('DELETE', pathOf(shipment.id), { token: admin.token })).status).toBe(404)
})

test('too few probes are refused with what is missing; devices in air prove nothing', async () => {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const [probe, air] = [await aDevice(t, { companyId }), await aDevice(t, { companyId })]
  const shipment = await aTreatedShipment(t, { companyId, probes: [probe.id], air: [air.id] })
  expect(await get(admin, pathOf(shipment.id))).toMatchObject({ airDevices: 1, probes: [{ id: String(probe.id) }] })
  const { body } = await t.call('PUT', pathOf(shipment.id), { token: admin.token, body: { protocolId: 'us-t107-a' } })
  expect(body).toMatchObject({ code: 'TREATMENT_NEEDS_PROBES' })
  expect(body.message).toContain('3')
})

test('in the hold of a vessel a fourth probe is needed; several containers and a missing seal are told', async () => {
  const { admin, companyId, shipment } = await scene({ protocolId: null })
  const leg = (values: string) =>
    t.change(companyId, `update shipment_legs set ${values} where company_id = $1 and shipment_id = $2`, [
      companyId,
      shipment.id,
    ])
  const choose = (version?: number) =>
    t.call('PUT', pathOf(shipment.id), { token: admin.token, body: { protocolId: 'us-t107-a', version } })
  const chosen = (await choose()).body.payload.treatment
  expect(chosen).toMatchObject({
    ...{ clock: { state: 'running' }, protocol: { probes: 3 } },
    carriage: { containers: ['MSCU1234566'], isSealed: true, isInHold: false, isMixed: false, isLoadingNoted: false },
  })
  await leg(`container_no = null, seal_no = null, atd = etd`)
  t.clock.advance(2 * hourMs)
  await sweep()
  const held = (await get<ShipmentTreatment>(admin, pathOf(shipment.id))).treatment
  expect(held).toMatchObject({
    ...{ clock: { state: 'waiting', missingProbes: 1 }, protocol: { probes: 4 } },
    carriage: { containers: [], isSealed: false, isInHold: true, isLoadingNoted: true },
  })
  expect((await choose(held?.version)).body).toMatchObject({ code: 'TREATMENT_NEEDS_PROBES' })
})

test('7 CFR 305.6 (d)(6): fruit of several types, or in several types of package, is told; varieties of one fruit are not', async () => {
  const { admin, shipment } = await scene()
  for (const [furtherProducts, mixed] of [
    [[], false],
    [[{ product: 'oranges', variety: 'Valencia', quantity: 4, quantityUnit: 'kg' }], false],
    [[{ product: 'Orange' }], false],
    [[{ product: 'Lemons' }], true],
    [[{ product: 'Oranges', variety: 'Valencia', quantity: 20, quantityUnit: 'crate' }], true],
  ] as const) {
    const { version } = await get<{ version: number }>(admin, `/export/shipments/${shipment.id}`)
    const body = { version, furtherProducts, quantity: 640, quantityUnit: 'carton' }
    const changed = await t.call('PATCH', `/export/shipments/${shipment.id}`, { token: admin.token, body })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const { treatment } = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
    expect([furtherProducts, treatment?.carriage.isMixed]).toEqual([furtherProducts, mixed])
  }
})

test('what a probe reads at 0 °C is taken off', async () => {
  const { admin, shipment, third, companyId } = await scene({ protocolId: null })
  await t.change(
    companyId,
    `insert into calibrations (company_id, device_id, certificate_no, laboratory, calibrated_on, due_on, offset_c, created_at, created_by, created_by_name)
     values ($1, $2, 'C-1', 'Lab', '2020-01-01', '2040-01-01', -20, now(), 1, 'Somebody')`,
    [companyId, third.id],
  )
  const { body } = await t.call('PUT', pathOf(shipment.id), { token: admin.token, body: { protocolId: 'us-t107-a' } })
  expect(body.payload.probes[2]).toMatchObject({ offsetC: -0.2, certificateNo: 'C-1', dueOn: '2040-01-01' })
  expect(body.payload.treatment.clock).toMatchObject({
    limiting: { deviceId: String(third.id), celsius: 1.2 },
    row: { days: 16 },
  })
})

test('a certificate of the day of the loading counts, by the calendar of the place', async () => {
  // In Citrusdal it is half past midnight of the next day.
  t.clock.set(new Date(Math.ceil(t.clock.now().getTime() / day) * day + 22.5 * hourMs))
  const admin = await buildUser(t)
  const { companyId } = admin
  const probe = await aDevice(t, admin)
  const { id } = await aTreatedShipment(t, { companyId, probes: [probe.id], startedAt: t.clock.now() })
  const there = new Date(t.clock.now().getTime() + 2 * hourMs).toISOString().slice(0, 10)
  await aCalibration(t, { companyId, deviceId: probe.id, calibratedOn: there })
  expect((await get<ShipmentTreatment>(admin, pathOf(id))).probes).toMatchObject([
    { calibratedOn: there, offsetC: 0.12 },
  ])
})

test('a sweep tells once that it started and was proven, with a notice; readings that come late heal it', async () => {
  const { admin, manager, shipment, third, late } = await scene({ hours: 340, missing: [200, 190], etaIn: 31 })
  await sweep()
  const before = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
  expect(before.treatment?.clock).toMatchObject({ state: 'running', unprovenCount: 1, provenMs: (339 - 11) * hourMs })
  expect(before.treatment?.clock?.unproven).toMatchObject([
    { deviceId: String(third.id), reason: 'gap', isOpen: false },
  ])
  expect(await eventsOf(shipment.id)).toEqual(['treatmentStarted'])
  await pipeline.send(third, late)
  await sweep()
  await sweep()
  const { treatment } = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
  expect(treatment?.clock).toMatchObject({ state: 'proven', unprovenCount: 0, provenMs: 14 * day })
  expect(treatment?.clock?.provenAt).toBe(
    new Date(Date.parse(treatment?.clock?.startedAt ?? '') + 14 * day).toISOString(),
  )
  expect(await eventsOf(shipment.id)).toEqual(['treatmentStarted', 'treatmentProven'])
  for (const user of [admin, manager]) {
    const lines = await get<{ data: Notification[] }>(user, '/enterprise/notifications?kind=coldTreatment')
    expect(lines.data.map(({ severity, shipmentId }) => [severity, shipmentId])).toEqual([['info', shipment.id]])
    expect(lines.data[0]?.text).toMatch(/^The cold treatment of S-\d{6} has all its time proven since /)
  }
})

test('the forecast is told against the arrival, with what would put it off', async () => {
  const { admin, shipment } = await scene({ hours: 100, etaIn: 14 * 24 - 99 + 31 })
  await sweep()
  const { treatment } = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
  expect(treatment?.forecast).toMatchObject({ place: 'Rotterdam', timezone: 'Europe/Amsterdam', spareMs: 31 * hourMs })
  expect(treatment?.clock?.breaks[0]).toEqual({ aboveC: 1.11, delayMs: 2 * day, restarts: false })
})

test('a shipment that is over promises no hour to come', async () => {
  const { admin, shipment } = await scene({ hours: 100, etaIn: 400 })
  await sweep()
  expect((await get<ShipmentTreatment>(admin, pathOf(shipment.id))).treatment?.isOver).toBe(false)
  const body = { state: 'completed' }
  expect((await t.call('PATCH', `/export/shipments/${shipment.id}`, { token: admin.token, body })).status).toBe(200)
  await sweep()
  expect((await get<ShipmentTreatment>(admin, pathOf(shipment.id))).treatment).toMatchObject({
    isOver: true,
    clock: { state: 'running', forecastAt: null, breaks: [] },
  })
})

test('it begins in the container: cold hours of before the stuffing do not count, and a stuffing that nobody noted is told', async () => {
  const { admin, shipment } = await scene({ hours: 400 })
  await sweep()
  const before = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
  expect(before.treatment).toMatchObject({ carriage: { isLoadingNoted: false }, clock: { state: 'proven' } })
  const stuffed = { kind: 'stuffed', at: at(300).toISOString() }
  const noted = await t.call('POST', `/export/shipments/${shipment.id}/milestones`, {
    token: admin.token,
    body: stuffed,
  })
  expect(noted.status, JSON.stringify(noted.body)).toBe(200)
  await sweep()
  const { treatment } = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
  expect(treatment).toMatchObject({
    carriage: { isLoadingNoted: true },
    clock: { state: 'running', startedAt: at(299).toISOString(), provenMs: 299 * hourMs },
  })
})

test('warm air of before the loading and after the delivery is no fruit', async () => {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const minutes = (hoursAgo: number, past: number) => new Date(at(hoursAgo).getTime() + past * 60_000)
  const cold = Array.from({ length: 28 * 6 + 3 }, (_, index) => ({
    at: minutes(30, 50 + index * 10),
    temperatureC: 1,
  })).filter((one) => one.at <= minutes(2, 10))
  const readings = [
    ...[5, 15, 35].map((past) => ({ at: minutes(30, past), temperatureC: 22 })),
    ...cold,
    ...[20, 40].map((past) => ({ at: minutes(2, past), temperatureC: 20 })),
  ]
  const probes: number[] = []
  for (const name of ['A', 'B', 'C'])
    probes.push((await aDevice(t, { companyId, name, intervalS: 600, validFrom: at(31), readings })).id)
  const shipment = await aTreatedShipment(t, {
    ...{ companyId, probes, startedAt: minutes(30, 40), protocolId: 'us-t107-a' },
  })
  await t.change(companyId, `update shipments set state = 'completed', ended_at = $2 where id = $1`, [
    shipment.id,
    minutes(2, 10),
  ])
  await sweep()
  const { treatment } = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
  expect(treatment?.clock).toMatchObject({
    ...{ state: 'running', startedAt: at(29).toISOString(), interruptionCount: 0, notPrecooled: [], warmAfter: null },
    provenMs: minutes(2, 10).getTime() - at(29).getTime(),
  })
  expect(treatment?.hours.map(({ celsius }) => celsius)).toEqual(Array.from({ length: 29 }, () => 1))
})

test('an hour that is too warm interrupts it, which is told once', async () => {
  const { admin, shipment, third } = await scene({ hours: 50 })
  await sweep()
  await pipeline.send(third, [{ at: new Date(at(1).getTime() + hourMs / 2), temperatureC: 3 }])
  await sweep()
  await sweep()
  expect((await get<ShipmentTreatment>(admin, pathOf(shipment.id))).treatment?.clock).toMatchObject({
    ...{ state: 'interrupted', startedAt: null, interruptionCount: 1 },
    interruptions: [{ deviceId: String(third.id), celsius: 3 }],
  })
  expect(await eventsOf(shipment.id)).toEqual(['treatmentStarted', 'treatmentInterrupted'])
  const lines = await get<{ data: Notification[] }>(admin, '/enterprise/notifications?kind=coldTreatment')
  expect(lines.data.map(({ severity }) => severity)).toEqual(['warning'])
})

test('who may not see a probe sees no clock, but that there is one', async () => {
  const { admin, manager, shipment } = await scene({ visibility: 'private' })
  await sweep()
  const seen = await get<ShipmentTreatment>(manager, pathOf(shipment.id))
  expect(seen).toMatchObject({
    hiddenProbes: 1,
    treatment: { clock: null, hours: [], forecast: null, hiddenProbes: 1 },
  })
  expect(seen.probes.map(({ name }) => name)).toEqual(['Probe A', 'Probe B'])
  expect((await get<ShipmentTreatment>(admin, pathOf(shipment.id))).treatment?.clock).toMatchObject({
    state: 'running',
  })
})

test('time without readings counts by the word of an official, where there is a gap', async () => {
  const { admin, shipment } = await scene({ hours: 100, missing: [60, 50] })
  await sweep()
  const { treatment } = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
  const [gap] = treatment?.clock?.unproven ?? []
  const word = { by: 'J. Naidoo, PPECB Cape Town', note: 'Logger of the vessel read', version: treatment?.version }
  const verify = (body: object) => t.call('POST', `${pathOf(shipment.id)}/verified-gaps`, { token: admin.token, body })
  expect((await verify({ ...word, from: at(20).toISOString(), to: at(10).toISOString() })).body.code).toBe(
    'TREATMENT_NO_GAP',
  )
  expect((await verify({ ...word, from: at(10).toISOString(), to: at(20).toISOString() })).status).toBe(422)
  const { status, body } = await verify({ ...word, from: gap?.from, to: gap?.to })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.payload.treatment).toMatchObject({
    clock: { unprovenCount: 0, provenMs: 99 * hourMs },
    verifiedGaps: [{ by: word.by, note: word.note, notedByName: admin.fullname }],
  })
  expect((await verify({ ...word, from: gap?.from, to: gap?.to })).body.code).toBe('CHANGED_MEANWHILE')
  const [entry] = await t.rows<{ action: string }>(
    `select action from audit_log where company_id = ${admin.companyId} and action = 'coldTreatments.gapVerified'`,
  )
  expect(entry).toBeDefined()
})

// Four documents of many pages: a busy machine takes its time.
test('a monitoring record is a PDF in each language that is no certificate', { timeout: 240_000 }, async () => {
  const { admin, manager, shipment } = await scene({
    hours: 340,
    warm: { 338: 2.6 },
    missing: [200, 190],
    visibility: 'private',
  })
  const { version } = await get<{ version: number }>(admin, `/export/shipments/${shipment.id}`)
  const further = { version, furtherProducts: [{ product: 'Lemons', variety: 'Eureka' }] }
  const changed = await t.call('PATCH', `/export/shipments/${shipment.id}`, { token: admin.token, body: further })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  const titles = {
    en: 'Monitoring record',
    fr: 'Relevé de suivi',
    es: 'Registro de seguimiento',
    sw: 'Kumbukumbu ya ufuatiliaji',
  }
  for (const [locale, title] of Object.entries(titles)) {
    const made = await t.call('POST', `${pathOf(shipment.id)}/monitoring-records`, {
      token: admin.token,
      body: { locale },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    await t.runJobs()
    const [record] = (await get<{ data: MonitoringRecord[] }>(admin, `${pathOf(shipment.id)}/monitoring-records`)).data
    expect(record).toMatchObject({ state: 'ready', locale })
    const file = await t.app.inject({
      method: 'GET',
      url: `/app/api/v1/export/monitoring-records/${record?.id}/file`,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(file.statusCode).toBe(200)
    if (process.env.COLD_PDFS) await writeFile(`${process.env.COLD_PDFS}/${locale}.pdf`, file.rawPayload)
    const text = await textOf(file.rawPayload, 'application/pdf')
    for (const part of [
      title,
      'Probe A',
      'MSCU1234566',
      'T107-a',
      'Cap San Lorenzo',
      'ZA998877',
      'Oranges, Navel; Lemons, Eureka',
    ])
      expect(text).toContain(part)
    expect(text.replaceAll(/\s+/g, ' ')).toContain(translate(locale as Locale, 'coldTreatments:warnings.mixed'))
    expect(text.replaceAll(/\s+/g, ' ')).not.toMatch(/certificate of treatment/i)
    const hidden = await t.call('GET', `/export/monitoring-records/${record?.id}/file`, { token: manager.token })
    expect(hidden.status).toBe(404)
  }
  const theirs = await get<{ data: MonitoringRecord[] }>(manager, `${pathOf(shipment.id)}/monitoring-records`)
  expect(theirs.data).toEqual([])
})

test('a probe that fails under way: nothing is proven since, the record tells which and since when, an official may count the time, the end closes it', {
  timeout: 240_000,
}, async () => {
  const { admin, shipment, companyId, third } = await scene({ hours: 100, missing: [40, -1], visibility: 'public' })
  const one = async () => {
    const { treatment } = await get<ShipmentTreatment>(admin, pathOf(shipment.id))
    if (!treatment?.clock) throw new Error('no clock')
    return { ...treatment, clock: treatment.clock }
  }
  const recordText = async () => {
    const made = await t.call('POST', `${pathOf(shipment.id)}/monitoring-records`, { token: admin.token, body: {} })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    await t.runJobs()
    const [record] = (await get<{ data: MonitoringRecord[] }>(admin, `${pathOf(shipment.id)}/monitoring-records`)).data
    const url = `/app/api/v1/export/monitoring-records/${record?.id}/file`
    const file = await t.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${admin.token}` } })
    return (await textOf(file.rawPayload, 'application/pdf')).replaceAll(/\s+/g, ' ')
  }
  await sweep()
  const under = await one()
  const lastAt = at(41).toISOString()
  expect(under.clock).toMatchObject({
    ...{ state: 'running', knownUntil: lastAt, silent: [String(third.id)] },
    unproven: [{ deviceId: String(third.id), reason: 'gap', from: lastAt, isOpen: true }],
  })
  expect(under.clock.elapsedMs - under.clock.provenMs).toBeGreaterThanOrEqual(41 * hourMs)
  const told = await recordText()
  for (const part of ['Without a reading in the last hour: Probe C', 'Probe C no reading for over an hour', 'goes on'])
    expect(told).toContain(part)
  const word = await t.call('POST', `${pathOf(shipment.id)}/verified-gaps`, {
    token: admin.token,
    body: {
      from: lastAt,
      to: at(10).toISOString(),
      by: 'J. Smith, APHIS',
      note: 'Pulp read by hand',
      version: under.version,
    },
  })
  expect(word.status, JSON.stringify(word.body)).toBe(200)
  const counted = await one()
  expect(counted.clock.provenMs - under.clock.provenMs).toBe(31 * hourMs)
  await t.change(companyId, `update shipments set state = 'completed', ended_at = $2 where id = $1`, [
    shipment.id,
    at(2),
  ])
  await sweep()
  const over = await one()
  expect(over.clock).toMatchObject({ silent: [], provenMs: counted.clock.provenMs })
  expect(over.clock.unproven).toMatchObject([
    { deviceId: String(third.id), from: at(10).toISOString(), to: at(2).toISOString(), isOpen: false },
  ])
  expect(await recordText()).not.toContain('goes on')
})

test('before the loading there is nothing to record, and no clock runs', async () => {
  const { companyId } = await buildCompany(t)
  const admin = await buildUser(t, { company: { companyId } })
  const probes = [await aDevice(t, { companyId }), await aDevice(t, { companyId }), await aDevice(t, { companyId })]
  const shipment = await aTreatedShipment(t, { companyId, probes: probes.map(({ id }) => id), protocolId: 'eu-fcm-b' })
  await sweep()
  expect((await get<ShipmentTreatment>(admin, pathOf(shipment.id))).treatment?.clock).toMatchObject({
    state: 'waiting',
    startedAt: null,
    // They measure all the time, in air that says nothing yet.
    silent: [],
  })
  const made = await t.call('POST', `${pathOf(shipment.id)}/monitoring-records`, { token: admin.token, body: {} })
  expect(made.body.code).toBe('TREATMENT_NOT_STARTED')
})

test('another company has no part in it', async () => {
  const { shipment } = await scene({ hours: 3 })
  const stranger = await buildUser(t)
  for (const [method, path, body] of [
    ['GET', pathOf(shipment.id), undefined],
    ['PUT', pathOf(shipment.id), { protocolId: 'us-t107-a' }],
    ['DELETE', pathOf(shipment.id), undefined],
    ['GET', `${pathOf(shipment.id)}/monitoring-records`, undefined],
    ['POST', `${pathOf(shipment.id)}/monitoring-records`, {}],
  ] as const)
    expect(
      (await t.call(method, path, { token: stranger.token, ...(body && { body }) })).status,
      `${method} ${path}`,
    ).toBe(404)
})
