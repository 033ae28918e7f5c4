import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults, coloursChanged } from './axe.ts'
import { foundOneOfEverything, type OneOfEverything } from './one-of-everything.ts'
import { goOn, guestScreens, type Screen, sessionScreens, settle, shipmentTabs } from './screens.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let made: OneOfEverything
let guest: Page
beforeAll(async () => {
  stage = await openStage()
  made = await foundOneOfEverything(stage, 'admin@screens.test')
  await made.page.goto('/settings/profile')
  await settle(made.page)
  guest = await stage.page()
})
afterAll(() => stage?.close())

/** Asked of people before there is anything else, who meet it in access-links and second-factor. */
const elsewhere = ['/companyprofile', '/enrol']

test('every screen of the router is in a list', async () => {
  const folder = fileURLToPath(new URL('../web/src/app/router/', import.meta.url))
  const files = (await readdir(folder)).filter((name) => name.endsWith('-routes.ts'))
  const texts = await Promise.all(files.map((name) => readFile(folder + name, 'utf8')))
  const routes = [...texts.join('\n').matchAll(/(?:guest|public|session)Screen\('([^']+)'/g)].map(([, path]) => path)
  const listed = [...Object.keys(guestScreens), ...Object.keys(sessionScreens), ...elsewhere]
  expect(listed.sort()).toEqual(routes.sort())
})

/** A page as wide as a desk's, and as narrow as a phone; and a desk's at a zoom of 200 %. */
const desk = { width: 1366, height: 768 }
const phone = { width: 390, height: 844 }
const zoomed = { width: 683, height: 384 }
const leastRows = 4

/** The rows of a list that are wholly seen, enough or those of after a while: the page hears of another window a moment later. */
async function rowsSeen(page: Page, seen: 'at once' | 'below the head'): Promise<number> {
  let count = 0
  const look = async () => {
    count = await rowsSeenNow(page, seen)
    return count >= leastRows
  }
  await expect
    .poll(look)
    .toBe(true)
    .catch(() => undefined)
  return count
}

const rowsSeenNow = (page: Page, seen: 'at once' | 'below the head') =>
  page.evaluate((seen) => {
    if (seen === 'below the head') document.querySelector('main [data-row]')?.scrollIntoView()
    const isSeen = (row: Element) => {
      const { left, width, top, bottom } = row.getBoundingClientRect()
      return [top + 1, bottom - 1].every((y) => row.contains(document.elementFromPoint(left + width / 2, y)))
    }
    return [...document.querySelectorAll('main [data-row]')].filter(isSeen).length
  }, seen)

const reload = async (page: Page, address: string) => {
  // Else a change of the fragment alone would load nothing.
  await page.goto('about:blank')
  await page.goto(address)
}

const other = { light: 'dark', dark: 'light' } as const
/** Screens begin by turns in the one and the other theme: frame, lists and forms are so seen in both on a desk and on a phone. */
let theme: 'light' | 'dark' = 'dark'

/** All that is wrong with a screen on a desk in one theme, on a phone in the other one, and as a list at 200 %. */
async function faultsOf(page: Page, go: typeof goOn, address: string, { rows }: Screen = {}): Promise<string[]> {
  theme = other[theme]
  const found: string[] = []
  const look = async (viewport: typeof desk, colorScheme: 'light' | 'dark') => {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await settle(page)
    await coloursChanged(page)
    found.push(...(await axeFaults(page)).map((fault) => `${colorScheme}, ${viewport.width} px wide: ${fault}`))
  }
  await page.setViewportSize(desk)
  await go(page, address)
  await look(desk, theme)
  await look(phone, other[theme])
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (tooWide > 0) found.push(`${tooWide} px too wide for a phone`)
  if (rows) {
    await page.setViewportSize(zoomed)
    await settle(page)
    const seen = await rowsSeen(page, rows)
    if (seen < leastRows) found.push(`at 200 % only ${seen} rows are seen`)
  }
  return found.map((fault) => `${address}: ${fault}`)
}

/** The pages of links, which have a file of their own. */
const linked: [string, (made: OneOfEverything) => string][] = [
  ['a share link', ({ share }) => share],
  ['a share link that is over', () => '/share#none'],
  ['a wall', ({ wall }) => wall],
  ['a wall that is over', () => '/wall#none'],
]

test.each(Object.entries(guestScreens))('%s has no fault without a login', async (route, { at }) => {
  expect(await faultsOf(guest, reload, at?.(made.ids) ?? route)).toEqual([])
})

test.each(linked)('%s has no fault', async (_, address) => {
  expect(await faultsOf(guest, reload, address(made))).toEqual([])
})

test.each(Object.entries(sessionScreens))('%s has no fault', async (route, screen) => {
  expect(await faultsOf(made.page, goOn, screen.at?.(made.ids) ?? route, screen)).toEqual([])
})

test('every part of a shipment is in the list', async () => {
  await made.page.goto(`/export/dispatch/shipment/${made.ids.shipment}`)
  await settle(made.page)
  const parts = made.page.getByRole('radiogroup', { name: 'Parts of the shipment' }).getByRole('radio')
  const named = await parts.evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value))
  expect(named).toEqual(['journey', ...shipmentTabs])
})

test.each(shipmentTabs)('the part %s of a shipment has no fault', async (tab) => {
  expect(await faultsOf(made.page, goOn, `/export/dispatch/shipment/${made.ids.shipment}?tab=${tab}`)).toEqual([])
})

test('nothing went wrong in the browser meanwhile', () => {
  expect(stage.faults).toEqual([])
})
