import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const api = '/app/api/v1'
const shots = process.env.SHOTS
const email = 'wall@shared.test'
const imei = '490154203237518'

let stage: Stage
let admin: Page
let deviceId: string
let secret: string

beforeAll(async () => {
  // Started again, it finds its port free.
  stage = await openStage({ CHECK_ANSWERS: '1', PORT: String(await freePort()) })
  admin = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  secret = secrets.get(imei) ?? ''
  await foundCompany(stage, admin.request, 'Shared Ltd', email)
  const headers = await logIn(admin, email)
  const data = { imei, licenceKey: key, name: 'Vaccine fridge', limits: { preset: 'refrigerated' } }
  deviceId = (await (await admin.request.post(`${api}/devices/setup`, { headers, data })).json()).payload.id
  await measure(5.1)
})
afterAll(() => stage?.close())

async function measure(temperatureC: number) {
  const answer = await admin.request.post(`${api}/ingest/${imei}`, {
    headers: { authorization: `Bearer ${secret}` },
    data: { temperatureC, humidityPct: 55, batteryPct: 80, lat: -1.29, lon: 36.82 },
  })
  expect(answer.ok()).toBe(true)
}

async function picture(wall: Page) {
  const usual = wall.viewportSize()
  if (!shots || !usual) return
  for (const [width, height] of [[1920, 1080] as const, [390, 844] as const])
    for (const colorScheme of ['light', 'dark'] as const) {
      await wall.setViewportSize({ width, height })
      await wall.emulateMedia({ colorScheme })
      await wall.screenshot({ path: `${shots}/wall-${width}-${colorScheme}.png` })
    }
  await wall.emulateMedia({ colorScheme: 'light' })
  await wall.setViewportSize(usual)
}

/** The open page follows the system into the dark and back, and axe finds nothing in either. */
async function followsTheSystem(page: Page, name: string) {
  const grounds = { dark: 'rgb(18, 22, 27)', light: 'rgb(246, 247, 249)' }
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await expect.poll(ground).toBe(grounds[colorScheme])
    expect(await axeFaults(page)).toEqual([])
    if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true })
  }
}

/** The address in the dialog that shows a new link. */
const madeAddress = async () => {
  const address = await admin.getByLabel('Link', { exact: true }).inputValue()
  await admin.getByRole('button', { name: 'Done' }).click()
  return address
}

test('a device is shared with the map and the last day; a stranger sees it without a login, until it is revoked', async () => {
  await admin.goto(`/devices/${deviceId}/details`)
  await admin.getByRole('button', { name: 'Actions for Vaccine fridge', exact: true }).click()
  await admin.getByRole('menuitem', { name: 'Share live' }).click()
  await admin.getByRole('button', { name: 'Make a link' }).click()
  await admin.getByLabel('Label').fill('For the hospital')
  await admin.getByLabel('Show the position on the map').check()
  await admin.getByLabel('Show the last 24 hours').check()
  await admin.getByRole('button', { name: 'Make the link' }).click()
  const address = await madeAddress()

  const stranger = await stage.page({ viewport: { width: 390, height: 844 } })
  const asked: string[] = []
  stranger.on('request', (request) => asked.push(request.url()))
  const answer = await stranger.goto(address)
  expect(answer?.headers()['x-robots-tag']).toBe('noindex, nofollow')
  await stranger.getByRole('heading', { name: 'Vaccine fridge' }).waitFor()
  await stranger.getByText('In range').waitFor()
  await stranger.getByText('5.1 °C').first().waitFor()
  await stranger.locator('.maplibregl-canvas').waitFor()
  const token = new URL(address).hash.slice(1)
  // The # and what follows is never sent.
  expect(asked.filter((url) => new URL(url).pathname.includes(token) || url.includes(`?${token}`))).toEqual([])
  await followsTheSystem(stranger, 'share')
  await stranger.getByLabel('Language').selectOption('fr')
  await stranger.getByText('Dernière mesure').waitFor()

  await admin.reload()
  await admin.getByText('opened 1 time').waitFor()
  await admin.getByRole('button', { name: 'Revoke For the hospital' }).click()
  await admin.getByRole('button', { name: 'Revoke', exact: true }).click()
  await admin.getByText('Link revoked').waitFor()
  await stranger.reload()
  await stranger.getByText('Ce lien ne montre rien').waitFor()
  await followsTheSystem(stranger, 'share-gone')
  expect(stage.faults).toEqual([])
})

test('a wall screen renews its values, goes on after a restart of the server, and ends when it is revoked', async () => {
  await admin.goto('/settings/sharing')
  await admin.getByRole('button', { name: 'Add wall screen' }).click()
  await admin.getByLabel('Name').fill('Hall 2')
  await admin.getByRole('button', { name: 'Make its link' }).click()
  const address = await madeAddress()

  const wall = await stage.page({ viewport: { width: 1366, height: 768 } })
  await wall.clock.install()
  await wall.goto(address)
  const tile = wall.getByRole('listitem').filter({ hasText: 'Vaccine fridge' })
  await tile.getByText('In range').waitFor()
  await wall.getByText('Connected').waitFor()
  await wall.getByRole('contentinfo').getByText('0 open alarms').waitFor()
  await followsTheSystem(wall, 'wall')
  await picture(wall)

  const start = await stage.stop()
  await wall.clock.runFor(16_000)
  await wall.getByText(/No connection/).waitFor()
  // The newest values stay in view.
  await tile.waitFor()
  await start()
  await measure(12.5)
  await wall.clock.runFor(61_000)
  await tile.getByText('Too warm').waitFor()
  await tile.getByText('12.5 °C').waitFor()
  await wall.getByText('Connected').waitFor()

  await admin.reload()
  await admin.getByRole('button', { name: 'Revoke Hall 2' }).click()
  await admin.getByRole('button', { name: 'Revoke', exact: true }).click()
  await admin.getByText('Link revoked').waitFor()
  await wall.clock.runFor(16_000)
  await wall.getByText('This wall screen is over or was revoked').waitFor()
  expect(await wall.getByText('Loading').count()).toBe(0)
  expect(await tile.count()).toBe(0)
})

test('somebody who is logged in opens the wall as themselves; in a browser without a login it says what to do', async () => {
  await admin.goto('/wall')
  await admin.getByRole('listitem').filter({ hasText: 'Vaccine fridge' }).waitFor()
  const stranger = await stage.page()
  await stranger.goto('/wall')
  await stranger.getByText('Nobody is logged in here').waitFor()
  expect(await stranger.getByText('Loading').count()).toBe(0)
  expect(await stranger.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
})
