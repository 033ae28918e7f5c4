import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logoPng } from '../server/test/logo-factory.ts'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'
import { textsOf } from './texts.ts'

const shots = process.env.SHOTS
const api = '/app/api/v1'
const email = 'export@links.test'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

let stage: Stage
let admin: Page
let headers: Record<string, string>
let shipmentId: string

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  admin = await stage.page()
  await foundCompany(stage, admin.request, 'Cape Citrus Ltd', email)
  headers = await logIn(admin, email)
  shipmentId = await aShipment()
})
afterAll(() => stage?.close())

/** A shipment under way, as its own screens would have made it. */
const aShipment = (): Promise<string> =>
  stage.inDatabase(async (client) => {
    const end = (name: string, country: string, timezone: string) =>
      JSON.stringify({
        ...{ id: '1', name, region: null, country, personOfContact: 'Thandi Nkosi', companyName: null, address: null },
        ...{ lat: null, lon: null, radiusM: null, timezone },
      })
    await client.query('begin')
    await client.query('set local role pipeline')
    const found = await client.query('select company_id from companies where name = $1', ['Cape Citrus Ltd'])
    const companyId: number = found.rows[0].company_id
    await client.query('commit')
    await client.query('begin')
    await client.query('set local role app')
    await client.query(`select set_config('app.company_id', $1, true)`, [String(companyId)])
    const place = (kind: string, name: string, country: string, zone: string) =>
      client.query(
        `insert into shipment_places (company_id, kind, name, country, zone, created_at, updated_at)
         values ($1, $2, $3, $4, $5, now(), now()) returning id`,
        [companyId, kind, name, country, zone],
      )
    const origin = (await place('origin', 'Citrusdal <b>pack house</b>', 'ZA', 'Africa/Johannesburg')).rows[0].id
    const destination = (await place('destination', 'Rotterdam Fruit', 'NL', 'Europe/Amsterdam')).rows[0].id
    const {
      rows: [shipment],
    } = await client.query(
      `insert into shipments (company_id, number, state, logistics, reference, product, origin_id, origin, destination_id, destination,
         min_c, max_c, started_at, created_at, created_by, created_by_name, updated_at)
       values ($1, 1, 'ongoing', 'external', 'PO 4711', 'Oranges', $2, $3, $4, $5, -100, 300, now() - interval '3 days', now(), 1, 'Thandi', now())
       returning id`,
      [
        ...[companyId, origin, end('Citrusdal <b>pack house</b>', 'ZA', 'Africa/Johannesburg'), destination],
        end('Rotterdam Fruit', 'NL', 'Europe/Amsterdam'),
      ],
    )
    const {
      rows: [leg],
    } = await client.query(
      `insert into shipment_legs (company_id, shipment_id, sequence, mode, from_name, to_name, from_zone, to_zone, vessel_name, voyage,
         container_no, etd, eta, atd)
       values ($1, $2, 1, 'sea', 'Cape Town', 'Rotterdam', 'Africa/Johannesburg', 'Europe/Amsterdam', 'Cold Star', '623N', 'CSQU3054383',
         now() - interval '2 days', now() + interval '14 days', now() - interval '2 days') returning id`,
      [companyId, shipment.id],
    )
    for (const [kind, ago] of [
      ['stuffed', '60 hours'],
      ['gateIn', '55 hours'],
      ['departed', '48 hours'],
    ])
      await client.query(
        `insert into shipment_events (company_id, shipment_id, leg_id, kind, occurred_at, occurred_zone, recorded_at, source, by_name,
           place_name) values ($1, $2, $3, $4, now() - $5::interval, 'Africa/Johannesburg', now(), 'person', 'Thandi', 'Cape Town')`,
        [companyId, shipment.id, leg.id, kind, ago],
      )
    await client.query('commit')
    return String(shipment.id)
  })

const makeLink = async (data: object) => {
  const answer = await admin.request.post(`${api}/export/shipments/${shipmentId}/links`, { headers, data })
  const { payload } = await answer.json()
  expect(answer.ok()).toBe(true)
  return { id: payload.id as string, path: new URL(payload.url).pathname + new URL(payload.url).hash }
}

test('a clearing agent follows a shipment in the language of the link; few kilobytes, nobody else is asked', async () => {
  const { path, id } = await makeLink({ label: 'Agent', locale: 'fr' })
  const page = await stage.page(phone)
  const answers: Response[] = []
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('response', (response) => answers.push(response))
  const answer = await page.goto(path)
  expect(answer?.headers()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
  await page.getByRole('heading', { name: 'L’expédition est en route.' }).waitFor()
  // A name is a text: its markup is shown, not done.
  await page.getByText('<b>pack house</b>').waitFor()
  for (const text of ['Cold Star', 'CSQU3054383', 'Parti', 'Heure de Europe/Amsterdam', 'PO 4711'])
    await page.getByText(text).first().waitFor()
  const shown = await page.locator('body').textContent()
  for (const secret of ['Thandi', 'Nkosi']) expect(shown).not.toContain(secret)
  const urlOf = (response: Response) => new URL(response.url())
  expect([...new Set(answers.map((response) => urlOf(response).host))]).toEqual([new URL(stage.base).host])
  const token = path.split('#')[1] ?? ''
  expect(asked.filter((url) => url.includes(token)).length).toBeLessThanOrEqual(1)
  // A page that is loaded anew has no bodies of before.
  const scripts = answers.filter((response) => urlOf(response).pathname.endsWith('.js'))
  const sizes = await Promise.all(scripts.map(async (script) => gzipSync(await script.body()).length))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000)
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('Langue').selectOption('sw')
  await page.getByRole('heading', { name: 'Shehena iko njiani.' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Shehena iko njiani.' }).waitFor()
  const revoked = await admin.request.delete(`${api}/export/shipment-links/${id}`, { headers })
  expect(revoked.ok(), await revoked.text()).toBe(true)
  await page.reload()
  await page.getByRole('heading', { name: 'Kiungo hiki si halali' }).waitFor()
})

test('the page is read in the dark, and fits a phone and a desk', async () => {
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: logoPng({ width: 900, height: 240 }) }
  expect((await admin.request.put(`${api}/auth/company/logo`, { headers, multipart: { file } })).ok()).toBe(true)
  const { path } = await makeLink({ label: 'Consignee', locale: 'en' })
  const page = await stage.page({ ...phone, colorScheme: 'dark' })
  await page.goto(path)
  await page.getByRole('heading', { name: 'The shipment is on its way.' }).waitFor()
  await page.waitForFunction(() => (document.querySelector('img')?.naturalWidth ?? 0) > 100)
  expect(await axeFaults(page)).toEqual([])
  for (const width of [390, 1366]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    if (shots) await page.screenshot({ path: join(shots, `link-${width}.png`), fullPage: true })
  }
})

test('a link that leads nowhere says so', async () => {
  const page = await stage.page({ ...phone, locale: 'es' })
  await page.goto('/shipment-link#nonsense')
  await page.getByRole('heading', { name: 'Este enlace no es válido' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
})

/** Documents of the shipment that were sent, one an hour, as pushes leave them. */
const sendBefore = (count: number): Promise<void> =>
  stage.inDatabase(async (client) => {
    await client.query(
      `begin; set local role pipeline;
       select set_config('app.company_id', company_id::text, true) from companies where name = 'Cape Citrus Ltd';
       reset role; set local role app`,
    )
    await client.query(
      `insert into epcis_pushes (company_id, shipment_id, state, events, file_key, sha256, url, attempts, last_status, created_at, created_by_name,
         settled_at)
       select current_setting('app.company_id')::int, $1, 'accepted', n, 'epcis/00/' || n || '.json', '\\x00', 'https://epcis.example.test/capture',
         1, 202, now() - (100 - n) * interval '1 hour', 'Thandi', now()
       from generate_series(1, $2::int) as n`,
      [shipmentId, count],
    )
    await client.query('commit')
  })

// Made once: a test that is tried again finds the same.
beforeAll(() => sendBefore(45))

test('the log of what was sent to a receiver is read page by page, to the first one', async () => {
  const say = await textsOf('en', ['epcis'])
  await admin.goto(`/export/dispatch/shipment/${shipmentId}?tab=epcis`)
  const panel = admin.getByRole('region', { name: say('epcis:title'), exact: true })
  const older = panel.getByRole('button', { name: say('epcis:older'), exact: true })
  const sent = panel.getByRole('listitem')
  for (const shown of [20, 40]) {
    await expect.poll(() => sent.count()).toBe(shown)
    await older.click()
  }
  await expect.poll(() => sent.count()).toBe(45)
  await older.waitFor({ state: 'detached' })
  // Newest first, each once: the number of events tells which one it is.
  const events = (await sent.allTextContents()).map((text) => Number(/(\d+) events?/.exec(text)?.[1]))
  expect(events).toEqual(Array.from({ length: 45 }, (_, index) => 45 - index))
  await expect.poll(() => axeFaults(admin)).toEqual([])
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
