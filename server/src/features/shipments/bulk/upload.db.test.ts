import { bulkLimits } from '@isotherm/contract/bulk-uploads.ts'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { expect, onTestFinished, test } from 'vitest'
import { describeApp } from '../../../../test/describe-app.ts'
import { aDevice } from '../../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../../test/factories.ts'
import { SentFile } from '../../../../test/form.ts'
import { aLicence } from '../../../../test/licence-factory.ts'
import { lockWaits } from '../../../../test/lock-waits.ts'
import { longestTurn } from '../../../../test/longest-turn.ts'
import { aShipmentPlace } from '../../../../test/shipment-factory.ts'
import { shipmentSheet } from '../../../../test/shipment-sheet.ts'

const t = describeApp()

async function scene() {
  const admin = await buildUser(t)
  await aLicence(t, admin.companyId)
  const ends = {
    origin: await aShipmentPlace(t, admin),
    destination: await aShipmentPlace(t, admin, { kind: 'destination' }),
  }
  const send = async (csv: string | Buffer<ArrayBuffer>, { by = admin, dryRun = false, ...more }: Sending = {}) =>
    t.call('POST', '/export/shipments/bulk-upload', {
      token: by.token,
      query: { dryRun: String(dryRun) },
      body: { file: new SentFile('season.csv', csv), ...more },
    })
  const read = async (id: string, by: TestUser = admin) =>
    t.call('GET', `/export/shipment-uploads/${id}`, { token: by.token })
  const upload = async (csv: string | Buffer<ArrayBuffer>, options: Sending = {}) => {
    const sent = await send(csv, options)
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    await t.runJobs()
    return (await read(sent.body.payload.id, options.by)).body.payload
  }
  const shipments = () =>
    t.rows<{ number: number; reference: string }>(
      'select number, reference from shipments where company_id = $1 order by number',
      [admin.companyId],
    )
  const sheet = (count: number, options: Parameters<typeof shipmentSheet>[2] = {}) =>
    shipmentSheet(ends, count, { from: t.clock.now().getTime(), ...options })
  return { admin, ends, send, read, upload, shipments, sheet }
}
interface Sending {
  by?: TestUser
  dryRun?: boolean
  dateOrder?: string
  fillMerged?: string
}

test('a dry run shows what is understood and adds nothing; the real one adds every row, with legs, events and one audit entry', async () => {
  const s = await scene()
  const file = s.sheet(3)
  const dry = await s.upload(file, { dryRun: true })
  expect(dry).toMatchObject({ state: 'ready', rows: 3, errorCount: 0, progress: 100, storedBefore: null })
  expect(dry.preview.rows[0]).toContain('21500.5')
  expect(await s.shipments()).toEqual([])
  const done = await s.upload(file)
  expect(done).toMatchObject({ state: 'stored', rows: 3, first: 'S-000001', last: 'S-000003' })
  expect((await s.shipments()).map(({ reference }) => reference)).toEqual(['PO 1', 'PO 2', 'PO 3'])
  const list = (await t.call('GET', '/export/shipments?search=PO 2', { token: s.admin.token })).body.payload.data
  const one = (await t.call('GET', `/export/shipments/${list[0].id}`, { token: s.admin.token })).body.payload
  expect(one).toMatchObject({
    ...{ reference: 'PO 2', grossWeightG: 21_500_500, setPointC: 4, pallets: 2, country: 'NL' },
    ...{ origin: { name: s.ends.origin.name }, legs: [{ mode: 'sea', containerNo: 'CSQU3054383', fromPort: 'ZACPT' }] },
    events: [{ kind: 'created', source: 'person' }],
  })
  // 18:00 by the clocks of Cape Town.
  expect(one.legs[0].etd).toMatch(/T16:00:00/)
  const trail = await t.rows<{ action: string; after: object }>(
    `select action, after from audit_log where company_id = $1 and action like 'shipments.%'`,
    [s.admin.companyId],
  )
  expect(trail).toEqual([
    {
      action: 'shipments.uploaded',
      after: expect.objectContaining({ rows: 3, sha256: done.sha256, from: 'S-000001', to: 'S-000003' }),
    },
  ])
  const single = await t.call('POST', '/export/shipments', {
    token: s.admin.token,
    body: {
      ...{
        logistics: 'external',
        product: 'Oranges',
        originId: s.ends.origin.id,
        destinationId: s.ends.destination.id,
      },
      legs: [{ mode: 'sea' }],
    },
  })
  expect(single.body.payload.number).toBe('S-000004')
})

test.each(['openShipments', 'shipmentsPerDay'] as const)(
  'a file of more shipments than a company may have, by %s, is refused as a whole, by a dry run, too',
  async (name) => {
    const s = await scene()
    const quota = t.services.config.quotas[name]
    const before = quota.licensed
    quota.licensed = 2
    try {
      for (const dryRun of [true, false])
        expect(await s.upload(s.sheet(3), { dryRun })).toMatchObject({
          errors: [{ row: null, code: 'QUOTA_EXCEEDED' }],
        })
      expect(await s.upload(s.sheet(2))).toMatchObject({ state: 'stored', first: 'S-000001' })
    } finally {
      quota.licensed = before
    }
  },
)

test('a cell with a NUL, and a heading with one, are named; a long value is not cut within a sign', async () => {
  const s = await scene()
  const change = { 1: { product: 'Oran\0ges' }, 2: { destination: `${'x'.repeat(99)}🍊` } }
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
  const wrong = await s.upload(utf16(s.sheet(4, { change })))
  expect(wrong).toMatchObject({ state: 'refused', hasMarkedBook: true })
  expect(wrong.errors.map(({ row, column, value }: Record<string, unknown>) => [row, column, value])).toEqual([
    [3, 'product', 'Oran\ufffdges'],
    [4, 'destination', `${'x'.repeat(99)}\ufffd`],
  ])
  const [head = '', ...rows] = s.sheet(1).split('\n')
  const headed = await s.upload(utf16([`${head.trim()};col\0our`, ...rows].join('\n')))
  expect(headed).toMatchObject({ state: 'refused', errors: [{ row: null }] })
})

test('a place and a taken reference are known in every alphabet', async () => {
  const s = await scene()
  const { name } = await aShipmentPlace(t, s.admin, { name: 'İZMİR ΟΔΟΣ' })
  const season = (pallets: string) =>
    s.upload(s.sheet(1, { change: { 0: { origin: name, reference: 'ΣΥΚΑ ΟΔΟΣ', pallets } } }))
  expect(await season('3')).toMatchObject({ state: 'stored', errors: [] })
  expect(await season('4')).toMatchObject({ state: 'refused', errors: [{ row: 2, column: 'reference' }] })
})

test('one wrong row in the middle: nothing is stored, no number is used, and it is named by row and column in the reader’s language', async () => {
  const s = await scene()
  const change = {
    1: { containerNo: 'CSQU3054384', product: '' },
    2: { destination: 'Nowhere', etd: '31/02/2027' },
  }
  const wrong = await s.upload(s.sheet(4, { change }))
  expect(wrong).toMatchObject({ state: 'refused', rows: 4, errorCount: 3, hasMarkedBook: true })
  expect(
    wrong.errors.map(({ row, column, value }: { row: number; column: string; value: string | null }) => [
      row,
      column,
      value,
    ]),
  ).toEqual([
    [3, 'product', null],
    [4, 'etd', '31/02/2027'],
    [4, 'destination', 'Nowhere'],
  ])
  expect(await s.shipments()).toEqual([])
  const marked = await t.app.inject({
    url: `/app/api/v1/export/shipment-uploads/${wrong.id}/marked`,
    headers: { authorization: `Bearer ${s.admin.token}` },
  })
  const book = await readXlsx(marked.rawPayload, { readStyles: true })
  expect(book.sheets[0]?.rows[2]?.at(-1)).toContain('Product')
  // Mended, the marked book is taken as it is.
  expect((await s.upload(s.sheet(4))).first).toBe('S-000001')
  await t.change(s.admin.companyId, `update users set locale = 'fr' where id = $1`, [s.admin.id])
  expect((await s.read(wrong.id)).body.payload.errors[0]).toMatchObject({ heading: 'Produit', code: 'required' })
})

test('a cell that is empty is missing, also where its column takes one of some values', async () => {
  const s = await scene()
  const wrong = await s.upload(s.sheet(1, { change: { 0: { logistics: '', mode: '' } } }))
  expect(wrong.errors).toMatchObject([
    { row: 2, column: 'logistics', value: null, code: 'required' },
    { row: 2, column: 'mode', value: null, code: 'required' },
  ])
})

test('identifiers, references of others and devices are judged as those of a single shipment', async () => {
  const s = await scene()
  await s.upload(s.sheet(1))
  const open = await aDevice(t, s.admin)
  const [{ imei }] = (await t.rows<{ imei: string }>(
    'select imei from assignments where device_id = $1 and company_id = $2',
    [open.id, s.admin.companyId],
  )) as [{ imei: string }]
  const refused = await s.upload(
    s.sheet(3, {
      prefix: 'po',
      change: {
        1: { containerNo: 'CSQU3054384', gtin: '36000291452' },
        2: { imo: '9074728', devices: `${imei} air; ${imei} pulp1` },
      },
    }),
  )
  expect(
    refused.errors.map(({ row, column, code }: { row: number; column: string; code: string }) => [row, column, code]),
  ).toEqual([
    [2, 'reference', 'referenceTaken'],
    [3, 'gtin', 'gtinMeant'],
    [3, 'containerNo', 'containerNo'],
    [4, 'imo', 'imo'],
    [4, 'devices', 'deviceTwice'],
  ])
  const sscc = '160012345000000015'
  const kept = { containerNo: 'CSQU3054384', containerUnchecked: 'Oui', devices: `${imei} pallet ${sscc}` }
  const wrong = await s.upload(
    s.sheet(1, { prefix: 'W', change: { 0: { devices: `${imei} pallet ${sscc.slice(0, -1)}4` } } }),
  )
  expect(wrong.errors).toMatchObject([{ column: 'devices', code: 'ssccMeant' }])
  const numbers = { gtin: '6001234500019', gtinUnchecked: 'oui', imo: '9074728', imoUnchecked: 'yes' }
  const done = await s.upload(s.sheet(1, { prefix: 'D', change: { 0: { ...kept, ...numbers } } }))
  expect(done.state).toBe('stored')
  const legs = await t.rows(
    'select container_no, container_unchecked, imo, imo_unchecked from shipment_legs where company_id = $1 order by id',
    [s.admin.companyId],
  )
  expect(legs.at(-1)).toEqual({
    ...{ container_no: 'CSQU3054384', container_unchecked: true, imo: '9074728', imo_unchecked: true },
  })
  const goods = await t.rows('select gtin, gtin_unchecked from shipments where company_id = $1', [s.admin.companyId])
  expect(goods).toContainEqual({ gtin: '06001234500019', gtin_unchecked: true })
  const carried = await t.rows('select device_id, place, sscc from shipment_devices where company_id = $1', [
    s.admin.companyId,
  ])
  expect(carried).toEqual([{ device_id: open.id, place: 'pallet', sscc }])
})

test('rows with the same reference are one shipment, a product each; what is of the shipment is said once', async () => {
  const s = await scene()
  const empty = { logistics: '', origin: '', destination: '', mode: '', fromPort: '', toPort: '', etd: '', eta: '' }
  const further = { ...empty, reference: 'po 1', containerNo: '', pallets: '', grossWeightKg: '', setPointC: '' }
  const change = {
    0: { quantity: '800', quantityUnit: 'Cartones', minC: '3', maxC: '8', gtin: '6001234500018' },
    1: { ...further, product: 'Lemons', quantity: '1200,25', quantityUnit: 'kg', minC: '6', maxC: '9' },
    2: { ...further, product: 'Grapefruit', pallets: '1' },
  }
  const done = await s.upload(s.sheet(4, { change }))
  expect(done).toMatchObject({ state: 'stored', rows: 4, makes: 2, first: 'S-000001', last: 'S-000002' })
  const list = (await t.call('GET', '/export/shipments?search=Grapefruit', { token: s.admin.token })).body.payload.data
  expect(list).toMatchObject([
    {
      ...{ number: 'S-000001', product: 'Oranges', gtin: '06001234500018', quantity: 800, quantityUnit: 'carton' },
      furtherProducts: [
        { product: 'Lemons', quantity: 1200.25, quantityUnit: 'kg', minC: 6, maxC: 9, gtin: null },
        { product: 'Grapefruit', quantity: null, minC: null },
      ],
    },
  ])
  const one = (await t.call('GET', `/export/shipments/${list[0].id}`, { token: s.admin.token })).body.payload
  expect(one).toMatchObject({ carryingMinC: 6, carryingMaxC: 8, pallets: 1, legs: [{ containerNo: 'CSQU3054383' }] })
})

test('rows of one shipment that contradict one another are named, each in its own row', async () => {
  const s = await scene()
  const again = { reference: 'PO 1', etd: '', eta: '' }
  const refused = await s.upload(
    s.sheet(5, {
      change: {
        0: { minC: '-1', maxC: '1' },
        1: { ...again, product: 'Bananas', minC: '13', maxC: '14', pallets: '' },
        2: { ...again, product: 'Lemons', containerNo: 'MSKU6907988', pallets: '1', gtin: '6001234500019' },
        3: { ...again, product: '', pallets: '' },
        4: { quantity: '7' },
      },
    }),
  )
  const told = refused.errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code])
  expect(told).toEqual([
    [4, 'containerNo', 'differsInShipment'],
    [5, 'product', 'required'],
    [6, 'quantityUnit', 'unitNeeded'],
  ])
  const apart = await s.upload(
    s.sheet(3, {
      prefix: 'Q',
      change: {
        0: { minC: '-1', maxC: '1' },
        1: { reference: 'Q 1', etd: '', eta: '', pallets: '', product: 'Bananas', minC: '13', maxC: '14' },
        2: { reference: 'Q 1', etd: '', eta: '', pallets: '', product: 'Oranges', minC: '-1', maxC: '1' },
      },
    }),
  )
  // A row that was copied is no second product.
  expect(apart.errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code])).toEqual([
    [3, 'minC', 'noSharedRange'],
    [4, 'product', 'productTwice'],
  ])
  expect(await s.shipments()).toEqual([])
})

test('another company’s device, a private one and none are the same answer', async () => {
  const s = await scene()
  const stranger = await buildUser(t)
  const staff = await buildUser(t, { company: s.admin, role: 'manager' })
  const devices = [await aDevice(t, stranger), await aDevice(t, s.admin)]
  await t.change(s.admin.companyId, `update devices set visibility = 'private' where id = $1`, [devices[1]?.id])
  const imeis = await t.rows<{ imei: string }>(
    'select imei from assignments where device_id = any($1) order by company_id',
    [devices.map(({ id }) => id)],
  )
  const change = Object.fromEntries(
    [...imeis.map(({ imei }) => imei), '490154203237518'].map((imei, n) => [n, { devices: imei }]),
  )
  const refused = await s.upload(s.sheet(imeis.length + 1, { change }), { by: staff })
  const told = refused.errors.map(({ code, message, value }: Record<string, string>) => [
    code,
    message?.replace(value ?? '', 'X'),
  ])
  expect(told.length).toBeGreaterThanOrEqual(3)
  expect(new Set(told.map(String)).size).toBe(1)
  expect(told[0]?.[0]).toBe('unknownDevice')
  const own = await s.upload(s.sheet(1, { prefix: 'X', change: { 0: { origin: 'Their pack house' } } }), { by: staff })
  expect(own.errors[0]).toMatchObject({ column: 'origin', code: 'unknownName' })
})

test('two at once: one is told to wait; the same file again is a second click; uploads are their own', async () => {
  const s = await scene()
  const colleague = await buildUser(t, { company: s.admin, role: 'manager' })
  const answers = await Promise.all([s.send(s.sheet(2)), s.send(s.sheet(2, { prefix: 'Q' }))])
  expect(answers.map(({ body }) => body.code ?? 'taken').sort()).toEqual(['UPLOAD_RUNNING', 'taken'])
  await t.runJobs()
  expect(await s.shipments()).toHaveLength(2)
  const { id } = answers.find(({ status }) => status === 200)!.body.payload
  expect((await s.read(id, colleague)).status).toBe(404)
  const again = await Promise.all([1, 2].map(() => s.send(s.sheet(2, { prefix: 'R' }))))
  await t.runJobs()
  expect(again.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await s.send(s.sheet(2, { prefix: 'R' }))).body.code).toBe('ALREADY_UPLOADED')
  t.clock.advance(11 * 60_000)
  const later = await s.upload(s.sheet(2, { prefix: 'R' }), { dryRun: true })
  expect([later.storedBefore !== null, later.errorCount]).toEqual([expect.anything(), 2])
})

test('killed in the middle: nothing remains and no number is used; the next attempt stores all of it', async () => {
  const s = await scene()
  const sent = await s.send(s.sheet(2_000))
  const jobs = t.runJobs().then(
    () => 'done',
    () => 'ended',
  )
  // The connection that stores is ended once it has stored something.
  for (let isEnded = false; !isEnded; ) {
    const { rows } = await t.pool.query<{ pid: number }>(`
      select pid from pg_locks where relation = 'shipments'::regclass and mode = 'RowExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`)
    if (!rows[0]) continue
    await t.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    isEnded = true
  }
  expect(await jobs).toBe('ended')
  const { id } = sent.body.payload
  expect((await s.read(id)).body.payload.state).toBe('waiting')
  expect(await s.shipments()).toEqual([])
  // As the queue does with a job that failed.
  const payload = JSON.stringify({ companyId: s.admin.companyId, uploadId: id })
  await t.pool.query(`insert into waiting_jobs (name, payload) values ('bulk-upload', $1)`, [payload])
  await t.runJobs()
  expect((await s.read(id)).body.payload).toMatchObject({ state: 'stored', first: 'S-000001', last: 'S-002000' })
})

test('ten thousand rows are stored without holding the event loop, and one more is refused', async () => {
  const s = await scene()
  let longest = Number.POSITIVE_INFINITY
  // Code that runs for the first time is slow, and so is one turn in which memory is cleared up.
  for (let tries = 1; tries <= 3 && longest > 100; tries++) {
    await t.change(s.admin.companyId, `update shipments set state = 'cancelled', cancelled_at = created_at`, [])
    const sent = await s.send(s.sheet(bulkLimits.rows, { prefix: `T${tries}` }))
    longest = Math.min(longest, await longestTurn(() => t.runJobs()))
    expect((await s.read(sent.body.payload.id)).body.payload).toMatchObject({ state: 'stored', rows: bulkLimits.rows })
  }
  expect(Math.round(longest), 'ms of the processor in one turn of the event loop').toBeLessThanOrEqual(100)
  const more = await s.upload(s.sheet(bulkLimits.rows + 1, { prefix: 'Q' }))
  expect(more).toMatchObject({ state: 'refused', errors: [{ row: null, code: 'tooManyRows' }] })
})

test('the marked copy of a workbook that counts from 1904 has the same days', async () => {
  const s = await scene()
  const heads = ['reference', 'logistics', 'product', 'origin', 'destination', 'mode', 'loadingOn', 'containerNo']
  // 24 June 2026 as such a book counts, without the look of a day; and a container number that is none.
  const cells = ['PO 1', 'external', 'Oranges', s.ends.origin.name, s.ends.destination.name, 'sea', 46_197 - 1_462, 'X']
  const sheets = [{ name: 'Sheet', rows: [heads, cells] }]
  const wrong = await s.upload(Buffer.from(await writeXlsx({ sheets, dateSystem: '1904' })))
  const marked = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipment-uploads/${wrong.id}/marked` },
    headers: { authorization: `Bearer ${s.admin.token}` },
  })
  const again = await s.upload(Buffer.from(marked.rawPayload))
  const loading = ({ preview }: { preview: { headings: string[]; rows: string[][] } }) =>
    preview.rows[0]?.[preview.headings.indexOf('Loading date')]
  expect([loading(wrong), loading(again)]).toEqual(['2026-06-24', '2026-06-24'])
})

test('merged cells are filled down for one who asks for it', async () => {
  const s = await scene()
  const rows = s
    .sheet(2)
    .trim()
    .split('\r\n')
    .map((line) => line.split(';').map((cell) => cell.replaceAll('"', '')))
  const column = rows[0]?.indexOf('product') ?? -1
  const shown = rows.map((cells, row) => cells.map((cell, index) => (row === 2 && index === column ? null : cell)))
  const merges = [{ startRow: 1, startCol: column, endRow: 2, endCol: column }]
  const book = Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet', rows: shown, merges }] }))
  expect(await s.upload(book)).toMatchObject({ state: 'refused', errors: [{ row: null, code: 'merged' }] })
  expect(await s.upload(book, { fillMerged: 'true' })).toMatchObject({ state: 'stored', rows: 2 })
})

test('who may not add shipments may not upload them, and who lost that right meanwhile adds nothing', async () => {
  const s = await scene()
  const staff = await buildUser(t, { company: s.admin, role: 'staff' })
  expect((await s.send(s.sheet(1), { by: staff })).status).toBe(403)
  const manager = await buildUser(t, { company: s.admin, role: 'manager' })
  const sent = await s.send(s.sheet(1), { by: manager })
  await t.change(s.admin.companyId, `update users set role = 'staff' where id = $1`, [manager.id])
  await t.runJobs()
  expect((await s.read(sent.body.payload.id)).body.payload.state).toBe('failed')
  expect(await s.shipments()).toEqual([])
  const old = await s.send(Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  expect([old.status, Object.keys(old.body.fields)]).toEqual([422, ['file']])
})

test('templates have headings in the reader’s language, lists of the company, and are taken as they are once filled in', async () => {
  const s = await scene()
  const get = (format: string, by = s.admin) =>
    t.app.inject({
      url: `/app/api/v1/export/shipments/bulk-template?format=${format}`,
      headers: { authorization: `Bearer ${by.token}` },
    })
  const book = await readXlsx((await get('xlsx')).rawPayload)
  expect(book.sheets.map(({ name }) => name)).toEqual(['Shipments', 'How to', 'Lists'])
  expect(book.sheets[0]?.dataValidations?.length).toBeGreaterThan(3)
  expect(book.sheets[2]?.rows.flat()).toContain(s.ends.origin.name)
  expect(book.sheets[2]?.rows.flat()).toEqual(expect.arrayContaining(['Sea', 'Air']))
  expect((await get('csv')).body).toContain('Product *')
  const manager = await buildUser(t, { company: s.admin, role: 'manager', locale: 'fr' })
  const french = (await readXlsx((await get('xlsx', manager)).rawPayload)).sheets
  expect(french[2]?.rows.flat()).toEqual(expect.arrayContaining(['Mer', 'Logistique externe', 'oui']))
  expect(french[1]?.rows.find(([heading]) => heading === 'Mode de transport')?.[2]).toBe('Mer')
})

test('a place that is deleted while a file is read is not one of its shipments', async () => {
  const s = await scene()
  const sent = await s.send(s.sheet(1))
  const holder = await t.pool.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin')
  await holder.query('set local role app')
  await holder.query("select set_config('app.company_id', $1, true)", [String(s.admin.companyId)])
  await holder.query('update shipment_places set archived_at = now() where id = $1', [s.ends.origin.id])
  const jobs = t.runJobs()
  await Promise.race([jobs, lockWaits(t.pool)])
  await holder.query('commit')
  await jobs
  expect((await s.read(sent.body.payload.id)).body.payload).toMatchObject({
    state: 'refused',
    errors: [{ column: 'origin' }],
  })
  expect(await s.shipments()).toEqual([])
})
