import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tinyPmtiles, worldTile } from '../server/test/tiny-pmtiles.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const api = '/app/api/v1'
const ada = 'ada@map.test'
const imei = '490154203237518'

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
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Map Ltd', ada)
  const headers = await logIn(page, ada)
  const data = { imei, licenceKey: key, name: 'Van 7', limits: { preset: 'refrigerated' } }
  const answer = await page.request.post(`${api}/devices/setup`, { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  deviceId = (await answer.json()).payload.id
  await drive(secrets.get(imei) ?? '')
})
afterAll(() => stage?.close())

/** Out of Nairobi: a device has no readings from before it was set up, and steps of 40 m are believed of any tracker. */
async function drive(secret: string): Promise<void> {
  const setUpAt = Date.now()
  const readings = Array.from({ length: 250 }, (_, i) => ({
    at: new Date(setUpAt + i * 2).toISOString(),
    temperatureC: 5 + i / 50,
    lat: -1.29 + i * 0.00025,
    lon: 36.82 + i * 0.00025,
  }))
  const answer = await page.request.post(`${api}/ingest/${imei}`, {
    headers: { authorization: `Bearer ${secret}` },
    data: { readings },
  })
  const { payload } = await answer.json()
  expect(payload.accepted).toBe(250)
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
const PARK = '227,235,220'
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
  await expect.poll(() => page.getByText('GeoNames').count()).toBe(1)
  await page.getByRole('button', { name: 'Kind of map' }).click()
  await expect.poll(() => page.getByRole('radio', { name: /Satellite/ }).isDisabled()).toBe(true)
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

test('chart settings offer no kind of map that is not set up, and say why', async () => {
  await page.goto('/settings/chart-settings')
  const satellite = page.getByRole('radio', { name: 'Satellite' })
  await expect.poll(() => satellite.isDisabled()).toBe(true)
  await expect.poll(() => page.getByText('Not set up on this installation').count()).toBe(3)
  await page.getByText(/TILES in its configuration/).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: 'Road map' }).isEnabled()).toBe(true)
})

test('streets that the operator put beside the data are drawn, with the cable out', async () => {
  const ring = [-179, 179].flatMap((lon) => [-80, 80].map((lat) => [lon, lat]))
  const [a, b, d, c] = ring
  const world = { type: 'Polygon' as const, coordinates: [[a, b, c, d, a] as number[][]] }
  const kind = (name: string) => ({
    type: 'FeatureCollection' as const,
    features: [{ type: 'Feature' as const, geometry: world, properties: { kind: name } }],
  })
  await mkdir(join(stage.dataDir, 'maps'))
  await writeFile(
    join(stage.dataDir, 'maps', 'streets.pmtiles'),
    tinyPmtiles([worldTile({ earth: kind('earth'), landuse: kind('park') })]),
  )
  // The server looks for the file every ten seconds.
  await expect
    .poll(async () => (await (await page.request.get('/tiles/sources')).json()).streets, { timeout: 60_000 })
    .not.toBeNull()
  await page.goto(`/devices/${deviceId}/details`)
  await untilShown(PARK, 0.2)
  await expect.poll(() => page.getByText('OpenStreetMap').count()).toBe(1)
  expect(outside).toEqual([])
  expect(stage.faults).toEqual([])
})
