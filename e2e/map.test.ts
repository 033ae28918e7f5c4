import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from './stage.ts'

const root = join(import.meta.dirname, '..')
const api = '/app/api/v1'
const person = { email: 'ada@map.test', password: 'warm-river-stone-27' }
const imei = '490154203237518'
const secret = 'a-device-secret-of-a-good-length-for-this'

let stage: Stage
let page: Page
let deviceId: string
/** Requests of the page to any machine but ours: the network cable is out, so they fail. */
const outside: string[] = []

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  const away = (url: URL) => url.hostname !== '127.0.0.1'
  await page.route(away, (route) => {
    outside.push(route.request().url())
    return route.abort()
  })
  const token = await becomeMember()
  deviceId = await setUpDevice(token)
  await drive()
  await logIn()
})
afterAll(() => stage?.close())

/** Registers, verifies, accepts the terms; resolves to an access token. */
async function becomeMember(): Promise<string> {
  const { request } = page
  await request.post(`${api}/auth/register`, { data: { companyName: 'Map Ltd', fullname: 'Ada Map', ...person } })
  const link = await stage.mailedLink(person.email, 'verify')
  await request.post(`${api}/auth/verify`, { data: { token: link.split('#').at(-1) } })
  const { payload } = await (await request.post(`${api}/auth/login`, { data: person })).json()
  const token: string = payload.tokens.accessToken
  await request.patch(`${api}/auth/updateTerms`, { headers: bearer(token), data: { termsAndConditions: true } })
  return token
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function provider(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: stage.dataDir }
  const node = join(root, 'node_modules/.bin/node')
  return (await promisify(execFile)(node, ['server/src/main.ts', 'provider', ...args], { cwd: root, env })).stdout
}

async function setUpDevice(token: string): Promise<string> {
  const file = join(stage.dataDir, 'devices.csv')
  await writeFile(file, `imei,type,secret\n${imei},tracker,${secret}\n`)
  await provider('devices', 'import', file)
  const printed = await provider('licences', 'issue', '--devices', '1', '--months', '12')
  const licenceKey = printed.match(/[A-Z0-9]{4,}(?:-[A-Z0-9]{4,})+/)?.[0]
  const data = { imei, licenceKey, name: 'Van 7', limits: { preset: 'refrigerated' } }
  const answer = await page.request.post(`${api}/devices/setup`, { headers: bearer(token), data })
  const body = await answer.json()
  if (!answer.ok()) throw new Error(JSON.stringify(body))
  return body.payload.id
}

/** Out of Nairobi: a device has no readings from before it was set up, and steps of 40 m are believed of any tracker. */
async function drive(): Promise<void> {
  const setUpAt = Date.now()
  const readings = Array.from({ length: 250 }, (_, i) => ({
    at: new Date(setUpAt + i * 2).toISOString(),
    temperatureC: 5 + i / 50,
    lat: -1.29 + i * 0.00025,
    lon: 36.82 + i * 0.00025,
  }))
  const answer = await page.request.post(`${api}/ingest/${imei}`, { headers: bearer(secret), data: { readings } })
  const { payload } = await answer.json()
  expect(payload.accepted).toBe(250)
}

async function logIn(): Promise<void> {
  await page.goto('/login')
  await page.locator('input[type=email], input[name=email]').first().fill(person.email)
  await page.locator('input[type=password]').first().fill(person.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** How much of the map is of each colour (red, green, blue), from 0 to 1. */
async function coloursOnMap(): Promise<Record<string, number>> {
  const shot = await page.locator('.maplibregl-canvas').screenshot()
  return page.evaluate(async (picture) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (char) => char.charCodeAt(0))]))
    const brush = new OffscreenCanvas(image.width, image.height).getContext('2d')
    if (!brush) return {}
    brush.drawImage(image, 0, 0)
    const { data } = brush.getImageData(0, 0, image.width, image.height)
    const found: Record<string, number> = {}
    for (let i = 0; i < data.length; i += 4) {
      const colour = `${data[i]},${data[i + 1]},${data[i + 2]}`
      found[colour] = (found[colour] ?? 0) + 4 / data.length
    }
    return found
  }, shot.toString('base64'))
}

const LAND = '247,246,242'
const PATH = '47,74,109'
const WARM = '200,39,45'

/** Resolves once that much of the map has this colour; a map that gives way to the next page's is no failure. */
const untilShown = (colour: string, share: number) =>
  expect
    .poll(async () => (await coloursOnMap().catch(() => ({}) as Record<string, number>))[colour] ?? 0, {
      timeout: 60_000,
      interval: 500,
    })
    .toBeGreaterThan(share)

test('the dashboard draws our own land and the device on it, with the cable out', async () => {
  const tile = page.waitForResponse((response) => response.url().includes('/tiles/basemap/') && response.ok())
  await page.goto('/dashboard')
  await tile
  await untilShown(LAND, 0.2)
  await untilShown(WARM, 0.0003)
  expect(outside).toEqual([])
  expect(stage.faults).toEqual([])
})

test('the map names its sources, and kinds of map that are not set up cannot be chosen', async () => {
  expect(await page.getByText('GeoNames').count()).toBe(1)
  await page.getByRole('button', { name: 'Kind of map' }).click()
  expect(await page.getByRole('radio', { name: /Satellite/ }).isDisabled()).toBe(true)
  expect(await page.getByRole('radio', { name: 'Road map' }).isChecked()).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('radio').count()).toBe(0)
})

test('a marker is reached and chosen with the keyboard alone', async () => {
  await page.getByRole('button', { name: 'Show everything' }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Van 7')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/devices/${deviceId}/details`)
})

test("the device's page draws its path", async () => {
  await untilShown(PATH, 0.001)
  expect(outside).toEqual([])
  expect(stage.faults).toEqual([])
})
