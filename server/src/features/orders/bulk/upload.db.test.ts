import { bulkLimits } from '@isotherm/contract/bulk-uploads.ts'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { describeApp } from '../../../../test/describe-app.ts'
import { aDevice } from '../../../../test/device-factory.ts'
import { aContact, aDriver, aVehicle } from '../../../../test/dispatch-factory.ts'
import { buildUser, type TestUser } from '../../../../test/factories.ts'
import { SentFile } from '../../../../test/form.ts'
import { aLicence } from '../../../../test/licence-factory.ts'
import { longestTurn } from '../../../../test/longest-turn.ts'
import { orderSheet } from '../../../../test/order-sheet.ts'

const t = describeApp()

interface Sending {
  by?: TestUser
  dryRun?: boolean
}
interface Fault {
  row: number | null
  column: string | null
  code: string
  value: string | null
  message: string
}

async function scene({ country = 'NG' } = {}) {
  const admin = await buildUser(t)
  await aLicence(t, admin.companyId)
  await t.change(admin.companyId, 'update companies set country = $1', [country])
  const send = async (csv: string, { by = admin, dryRun = false }: Sending = {}) =>
    t.call('POST', '/dispatch/orders/bulk-upload', {
      token: by.token,
      query: { dryRun: String(dryRun) },
      body: { file: new SentFile('day.csv', csv) },
    })
  const read = async (id: string, by: TestUser = admin) =>
    t.call('GET', `/dispatch/order-uploads/${id}`, { token: by.token })
  const upload = async (csv: string, options: Sending = {}) => {
    const sent = await send(csv, options)
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    await t.runJobs()
    return (await read(sent.body.payload.id, options.by)).body.payload
  }
  const orders = () =>
    t.rows<{ id: string; reference: string; tracking_code: string }>(
      'select id, reference, tracking_code from orders where company_id = $1 order by id',
      [admin.companyId],
    )
  const one = async (id: string) => (await t.call('GET', `/dispatch/orders/${id}`, { token: admin.token })).body.payload
  const sheet = (count: number, options: Parameters<typeof orderSheet>[2] = {}) =>
    orderSheet(count, t.clock.now().getTime(), options)
  return { admin, send, read, upload, orders, one, sheet }
}
const told = ({ errors }: { errors: Fault[] }) => errors.map(({ row, column, code }) => [row, column, code])
const imeiOf = async (id: number) =>
  (await t.rows<{ imei: string }>('select imei from assignments where device_id = $1', [id]))[0]?.imei ?? ''

test('a dry run adds nothing; the real one adds every order as a form would, with one entry of the trail', async () => {
  const s = await scene()
  const device = await aDevice(t, s.admin)
  await aDriver(t, s.admin, { name: 'Musa Bello' })
  await aVehicle(t, s.admin, { plate: 'LAG 118 XY' })
  const imei = await imeiOf(device.id)
  const more = { driver: 'musa bello', vehicle: 'lag-118xy', devices: imei, startRule: 'by either', deliveryFee: '15' }
  const file = s.sheet(3, { change: { 1: { ...more, senderPhone: '0803 123 4567', windowBy: '' } } })
  const dry = await s.upload(file, { dryRun: true })
  expect(dry).toMatchObject({ state: 'ready', rows: 3, makes: 3, errorCount: 0, progress: 100, errors: [] })
  expect(await s.orders()).toEqual([])
  expect(await s.upload(file)).toMatchObject({ state: 'stored', rows: 3, makes: 3, first: null, last: null })
  const made = await s.orders()
  expect(made.map(({ reference }) => reference)).toEqual(['SO 1', 'SO 2', 'SO 3'])
  const order = await s.one(made[1]?.id ?? '')
  expect(order).toMatchObject({
    ...{ reference: 'SO 2', state: 'new', sender: { name: 'Cold Store', phone: '+2348031234567' }, startRule: 'or' },
    ...{ driver: { name: 'Musa Bello' }, vehicle: { plate: 'LAG 118 XY' }, devices: [{ id: String(device.id) }] },
    ...{ currency: 'NGN', timezone: 'Africa/Lagos', createdBy: s.admin.fullname },
    receiverList: [{ party: { name: 'Clinic 2' }, items: [{ name: 'Vaccine box', quantity: 2, weightG: 4_500 }] }],
  })
  expect([order.price.lines[0].amount, order.receiverList[0].items[0].worth]).toEqual([1_500, 50_000])
  // 17:00 by the clocks of Lagos.
  expect(order.deliverBy).toMatch(/T16:00:00/)
  const events = (await t.call('GET', `/dispatch/orders/${order.id}/events`, { token: s.admin.token })).body.payload
  expect(events).toMatchObject([{ kind: 'created', source: 'person', by: s.admin.fullname }])
  const trail = await t.rows<{ action: string; after: object }>(
    `select action, after from audit_log where company_id = $1 and action like 'orders.%'`,
    [s.admin.companyId],
  )
  expect(trail).toMatchObject([{ action: 'orders.uploaded', after: { rows: 3 } }])
})

test('rows with one reference are one order, rows of one receiver its items, and devices travel with it once', async () => {
  const s = await scene()
  const imei = await imeiOf((await aDevice(t, s.admin)).id)
  const blank = Object.fromEntries(
    ['sender', 'pickup', 'pickupLat', 'pickupLon', 'deliverBy'].map((name) => [name, '']),
  )
  const change = {
    0: { reference: 'A', devices: imei, receiver: 'Ada' },
    1: { ...blank, reference: 'a', devices: imei, receiver: '', address: '', lat: '', lon: '', item: 'Ice' },
    2: { reference: 'B' },
    3: { ...blank, reference: 'A', receiver: 'Musa', item: 'Serum' },
  }
  const dry = await s.upload(s.sheet(4, { change }), { dryRun: true })
  const senders = dry.preview.rows.map((cells: string[]) => cells[dry.preview.headings.indexOf('Sender')])
  expect(senders).toEqual(['Cold Store', '', 'Cold Store', ''])
  const done = await s.upload(s.sheet(4, { change }))
  expect(done).toMatchObject({ state: 'stored', rows: 4, makes: 2 })
  const made = await s.orders()
  const order = await s.one(made[0]?.id ?? '')
  expect(order.receiverList.map((one: { party: { name: string } }) => one.party.name)).toEqual(['Ada', 'Musa'])
  expect(order.receiverList[0].items.map(({ name }: { name: string }) => name)).toEqual(['Vaccine box', 'Ice'])
  expect([order.devices.length, made.length]).toEqual([1, 2])
})

test('what is left out comes from a contact, where it is plain which one', async () => {
  const s = await scene()
  const place = { lat: 6.52, lon: 3.37, country: 'NG' }
  await aContact(t, s.admin, { name: 'Ikeja Store', company_name: 'Stores Ltd', ...place, address: 'Ikeja' })
  await aContact(t, s.admin, { name: 'Twin', ...place })
  await aContact(t, s.admin, { name: 'Twin', ...place })
  const alone = { sender: 'stores ltd', pickup: '', pickupLat: '', pickupLon: '' }
  const done = await s.upload(s.sheet(1, { change: { 0: alone } }))
  expect(done.state, JSON.stringify(done.errors)).toBe('stored')
  const order = await s.one((await s.orders())[0]?.id ?? '')
  expect(order).toMatchObject({ sender: { name: 'Ikeja Store', phone: '+2348031234567' }, pickup: { lat: 6.52 } })
  const dry = await s.upload(s.sheet(1, { prefix: 'D', change: { 0: { ...alone, senderPhone: '0803 123 4567' } } }), {
    dryRun: true,
  })
  const cell = (heading: string) => {
    const at = dry.preview.headings.indexOf(heading)
    return [dry.preview.rows[0][at], dry.preview.inFile[0][at]]
  }
  expect(cell('Sender')).toEqual(['Ikeja Store', 'stores ltd'])
  expect(cell('Phone of the sender')).toEqual(['+2348031234567', '0803 123 4567'])
  expect(cell('Pick-up address')).toEqual(['Ikeja', ''])
  expect(cell('Pick-up latitude')).toEqual(['6.52', ''])
  expect(cell('Receiver')).toEqual(['Clinic 1', null])
  const [due, inFile] = cell('Deliver by')
  expect(due).toMatch(/, 17:00 GMT\+1$/)
  expect(inFile).toMatch(/ 17:00$/)
  const nowhere = { address: '', lat: '', lon: '' }
  const wrong = await s.upload(
    s.sheet(4, {
      prefix: 'X',
      change: {
        0: { receiver: 'Twin', ...nowhere },
        1: { receiver: 'Nobody', ...nowhere },
        // Another address than the contact's is another place.
        2: { ...alone, pickup: 'Elsewhere' },
        3: { receiver: 'Twin' },
      },
    }),
  )
  expect(told(wrong)).toEqual([
    [2, 'receiver', 'alike'],
    [2, 'address', 'positionNeeded'],
    [3, 'address', 'positionNeeded'],
    [4, 'pickup', 'positionNeeded'],
  ])
})

describe('wrong rows', () => {
  test('one in the middle: nothing is stored, and each fault is named at its row and column, in the reader’s language', async () => {
    const s = await scene()
    const change = {
      1: { quantity: '0', lat: '95' },
      2: { deliverBy: '2027-02-31', receiverPhone: '12' },
      3: { lat: '6.6018', lon: '3.3515', deliverBy: '2020-01-01', driver: 'Nobody' },
    }
    const wrong = await s.upload(s.sheet(5, { change }))
    expect(wrong).toMatchObject({ state: 'refused', rows: 5, makes: null, hasMarkedBook: true })
    expect(told(wrong)).toEqual([
      [3, 'lat', 'tooBigNumber'],
      [3, 'quantity', 'tooSmallNumber'],
      [4, 'deliverBy', 'noSuchDay'],
      [5, 'driver', 'unknownName'],
      [5, 'deliverBy', 'deliveryInPast'],
      [5, 'address', 'sameAsPickup'],
    ])
    expect(await s.orders()).toEqual([])
    const marked = await t.app.inject({
      url: `/app/api/v1/dispatch/order-uploads/${wrong.id}/marked`,
      headers: { authorization: `Bearer ${s.admin.token}` },
    })
    const book = await readXlsx(marked.rawPayload, { readStyles: true })
    expect(book.sheets[0]?.rows[2]?.at(-1)).toContain('Quantity')
    await t.change(s.admin.companyId, `update users set locale = 'fr' where id = $1`, [s.admin.id])
    expect((await s.read(wrong.id)).body.payload.errors[1]).toMatchObject({ heading: 'Quantité' })
    expect((await s.upload(s.sheet(5))).state).toBe('stored')
  })

  test('rows of one order that contradict each other name the row that they differ from', async () => {
    const s = await scene()
    const change = { 0: { reference: 'A' }, 2: { reference: 'A', sender: 'Somebody else', receiver: 'Ada' } }
    const wrong = await s.upload(s.sheet(3, { change }))
    expect(told(wrong)).toEqual([[4, 'sender', 'differsInOrder']])
    expect(wrong.errors[0].message).toContain('row 2')
  })

  test('a driver, a vehicle and a device that may not go are faults of their cells', async () => {
    const s = await scene()
    await aDriver(t, s.admin, { name: 'Idle', status: 'inactive' })
    await aVehicle(t, s.admin, { plate: 'OUT 1', out_of_service_at: t.clock.now() })
    const device = await aDevice(t, s.admin)
    await t.change(s.admin.companyId, 'update devices set decommissioned_at = now() where id = $1', [device.id])
    const change = { 0: { driver: 'Idle' }, 1: { vehicle: 'OUT 1' }, 2: { devices: await imeiOf(device.id) } }
    const wrong = await s.upload(s.sheet(3, { change }))
    expect(told(wrong)).toEqual([
      [2, 'driver', 'DRIVER_INACTIVE'],
      [3, 'vehicle', 'VEHICLE_UNAVAILABLE'],
      [4, 'devices', 'DEVICE_DECOMMISSIONED'],
    ])
  })

  test('an amount without a currency, 201 receivers and a cell of no column', async () => {
    const s = await scene()
    await t.change(s.admin.companyId, 'update companies set country = null', [])
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n + 1, { reference: 'M', worth: '' }]))
    const wrong = await s.upload(s.sheet(202, { change: many }))
    expect(told(wrong)).toEqual([
      [2, 'worth', 'currencyNeeded'],
      [3, 'reference', 'tooBigList'],
    ])
  })
})

test('another company’s device, driver and contact, a private device and none are the same answer', async () => {
  const s = await scene()
  const stranger = await buildUser(t)
  const manager = await buildUser(t, { company: s.admin, role: 'manager' })
  const [theirs, hidden] = [await aDevice(t, stranger), await aDevice(t, s.admin)]
  await t.change(s.admin.companyId, `update devices set visibility = 'private' where id = $1`, [hidden.id])
  await aDriver(t, stranger, { name: 'Their driver' })
  await aContact(t, stranger, { name: 'Their contact', lat: 6.5, lon: 3.4 })
  const imeis = [await imeiOf(theirs.id), await imeiOf(hidden.id), '490154203237518']
  const change = {
    ...Object.fromEntries(imeis.map((devices, n) => [n, { devices }])),
    3: { driver: 'Their driver' },
    4: { receiver: 'Their contact', address: '', lat: '', lon: '' },
  }
  const wrong = await s.upload(s.sheet(5, { change }), { by: manager })
  const ofDevices = wrong.errors.filter(({ column }: Fault) => column === 'devices')
  const without = ({ message, value }: Fault) => message.replace(value ?? '', 'X')
  expect([ofDevices.length, new Set(ofDevices.map(without)).size, ofDevices[0].code]).toEqual([3, 1, 'unknownDevice'])
  expect(told(wrong).slice(3)).toEqual([
    [5, 'driver', 'unknownName'],
    [6, 'address', 'positionNeeded'],
  ])
  expect((await s.read(wrong.id, stranger)).status).toBe(404)
})

test('two at once: one is told to wait, and the same file again is a second click', async () => {
  const s = await scene()
  const answers = await Promise.all([s.send(s.sheet(2)), s.send(s.sheet(2, { prefix: 'Q' }))])
  expect(answers.map(({ body }) => body.code ?? 'taken').sort()).toEqual(['UPLOAD_RUNNING', 'taken'])
  await t.runJobs()
  expect(await s.orders()).toHaveLength(2)
  const again = answers[0]?.status === 200 ? s.sheet(2) : s.sheet(2, { prefix: 'Q' })
  expect((await s.send(again)).body.code).toBe('ALREADY_UPLOADED')
  expect((await s.send(again, { dryRun: true })).status).toBe(200)
})

test('a file that would exceed a quota is refused as a whole, by a dry run, too', async () => {
  const s = await scene()
  const { openOrders } = t.services.config.quotas
  const before = openOrders.licensed
  openOrders.licensed = 2
  try {
    for (const dryRun of [true, false])
      expect(await s.upload(s.sheet(3), { dryRun })).toMatchObject({ errors: [{ row: null, code: 'QUOTA_EXCEEDED' }] })
    expect(await s.orders()).toEqual([])
  } finally {
    openOrders.licensed = before
  }
})

/** Resolves with the process of the connection that stores, once it has stored something. */
async function storing(): Promise<number> {
  for (;;) {
    const { rows } = await t.pool.query<{ pid: number }>(`
      select pid from pg_locks where relation = 'orders'::regclass and mode = 'RowExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`)
    if (rows[0]) return rows[0].pid
  }
}

test('a quota that is full once a part is stored refuses the file, and nothing of it remains', async () => {
  const s = await scene()
  const { openOrders } = t.services.config.quotas
  const before = openOrders.licensed
  const sent = await s.send(s.sheet(2_000))
  try {
    const jobs = t.runJobs()
    await storing()
    openOrders.licensed = 2
    await jobs
  } finally {
    openOrders.licensed = before
  }
  const done = (await s.read(sent.body.payload.id)).body.payload
  expect(done).toMatchObject({ state: 'refused', rows: 2_000, errors: [{ row: null, code: 'QUOTA_EXCEEDED' }] })
  expect(await s.orders()).toEqual([])
  const trail = await t.rows(`select 1 from audit_log where company_id = $1 and action = 'orders.uploaded'`, [
    s.admin.companyId,
  ])
  expect(trail).toEqual([])
  expect(await s.upload(s.sheet(2_000))).toMatchObject({ state: 'stored', makes: 2_000 })
})

test('killed in the middle: nothing remains; the next attempt stores all of it', async () => {
  const s = await scene()
  const sent = await s.send(s.sheet(2_000))
  const jobs = t.runJobs().then(
    () => 'done',
    () => 'ended',
  )
  await t.pool.query('select pg_terminate_backend($1)', [await storing()])
  expect(await jobs).toBe('ended')
  const { id } = sent.body.payload
  expect((await s.read(id)).body.payload.state).toBe('waiting')
  expect(await s.orders()).toEqual([])
  // As the queue does with a job that failed.
  const payload = JSON.stringify({ companyId: s.admin.companyId, uploadId: id })
  await t.pool.query(`insert into waiting_jobs (name, payload) values ('bulk-upload', $1)`, [payload])
  await t.runJobs()
  expect((await s.read(id)).body.payload).toMatchObject({ state: 'stored', makes: 2_000 })
  const made = await s.orders()
  expect(new Set(made.map(({ tracking_code }) => tracking_code)).size).toBe(2_000)
})

test('ten thousand rows are stored without holding the event loop', async () => {
  const s = await scene()
  let longest = Number.POSITIVE_INFINITY
  // Code that runs for the first time is slow, and so is one turn in which memory is cleared up.
  for (let tries = 1; tries <= 3 && longest > 100; tries++) {
    await t.change(s.admin.companyId, `update orders set state = 'cancelled', cancelled_at = created_at`, [])
    t.clock.advance(25 * 3_600_000)
    const sent = await s.send(s.sheet(bulkLimits.rows, { prefix: `T${tries}` }))
    longest = Math.min(longest, await longestTurn(() => t.runJobs()))
    expect((await s.read(sent.body.payload.id)).body.payload).toMatchObject({ state: 'stored', rows: bulkLimits.rows })
  }
  expect(Math.round(longest), 'ms of the processor in one turn of the event loop').toBeLessThanOrEqual(100)
}, 300_000)

test('who may not add orders may not upload them, and who lost that right meanwhile adds nothing', async () => {
  const s = await scene()
  const staff = await buildUser(t, { company: s.admin, role: 'staff' })
  expect((await s.send(s.sheet(1), { by: staff })).status).toBe(403)
  const manager = await buildUser(t, { company: s.admin, role: 'manager' })
  const sent = await s.send(s.sheet(1), { by: manager })
  await t.change(s.admin.companyId, `update users set role = 'staff' where id = $1`, [manager.id])
  await t.runJobs()
  expect((await s.read(sent.body.payload.id)).body.payload.state).toBe('failed')
  expect(await s.orders()).toEqual([])
})

test('templates have headings in the reader’s language and lists of the company', async () => {
  const s = await scene()
  await aContact(t, s.admin, { name: 'Ikeja Store' })
  const get = (format: string, by = s.admin) =>
    t.app.inject({
      url: `/app/api/v1/dispatch/orders/bulk-template?format=${format}`,
      headers: { authorization: `Bearer ${by.token}` },
    })
  const book = await readXlsx((await get('xlsx')).rawPayload)
  expect(book.sheets.map(({ name }) => name)).toEqual(['Orders', 'How to', 'Lists'])
  expect(book.sheets[2]?.rows.flat()).toContain('Ikeja Store')
  expect((await get('csv')).body).toContain('Receiver *')
  const manager = await buildUser(t, { company: s.admin, role: 'manager', locale: 'fr' })
  const french = (await readXlsx((await get('xlsx', manager)).rawPayload)).sheets
  expect(french[2]?.rows.flat()).toEqual(expect.arrayContaining(['à la main', 'anglais']))
})
