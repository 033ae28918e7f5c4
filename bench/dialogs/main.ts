import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { axeFaults, contrastFaults } from '../../e2e/axe.ts'
import { logIn, taken } from '../../e2e/devices-company.ts'
import { foundOneOfEverything } from '../../e2e/one-of-everything.ts'
import { type Ids, sessionScreens, shipmentTabs } from '../../e2e/screens.ts'
import { launchBrowser, missingTexts, openStage } from '../../e2e/stage.ts'
import { bringClickable, type Opened, openAll } from './open-all.ts'

/*
 * Opens every dialog, drawer and menu that a button of a screen opens, and judges it open: axe in both themes on a desk and on a phone, nothing wider
 * than a phone, no text missing, a title; Escape closes it and the focus is somewhere afterwards. What has the same title as one before is opened and not judged again.
 *
 *   npm run bench -- dialogs [--language en] [--only /dispatch] [--shots FOLDER]
 *   npm run bench -- dialogs --at http://127.0.0.1:8080 --email admin@demo.test --password ... : the screens of a server that runs, such as the demo,
 *     with every order and shipment
 *
 * `--shots` takes a picture of each on a desk and on a phone, light and dark. Exit code 1 where something is wrong.
 */

const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const language = option('language') ?? 'en'
const only = option('only') ?? ''
const shots = option('shots')
const looks = [
  { name: 'desk-light', width: 1366, height: 768, colorScheme: 'light', isWhole: true },
  { name: 'desk-dark', width: 1366, height: 768, colorScheme: 'dark', isWhole: false },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark', isWhole: true },
  { name: 'phone-light', width: 390, height: 844, colorScheme: 'light', isWhole: false },
] as const
const [firstLook] = looks

const faults: string[] = []
const judged = new Set<string>()
if (shots) await mkdir(shots, { recursive: true })

const keyOf = ({ kind, title }: Opened) => `${kind} ${title}`
const isKnown = (opened: Opened) => judged.has(keyOf(opened))

async function judge(page: Page, opened: Opened) {
  const { address, clicked, kind, title } = opened
  const where = `${address}: ${clicked.join(' > ')}`
  if (!title) faults.push(`${where}: a dialog without a title`)
  if (isKnown(opened)) return
  judged.add(keyOf(opened))
  console.log(`${where}${kind === 'dialog' ? `: ${title}` : ''}`)
  for (const look of looks) {
    // A menu closes where the window changes.
    if (kind === 'menu' && look !== firstLook) break
    await page.setViewportSize(look)
    await page.emulateMedia({ colorScheme: look.colorScheme })
    const found = await (look.isWhole ? axeFaults(page) : contrastFaults(page))
    // A menu belongs to its button: it needs no landmark around it.
    const counted = found.filter((fault) => kind === 'dialog' || !fault.startsWith('region'))
    faults.push(...counted.map((fault) => `${where}, ${look.name}: ${fault}`))
    const tooWide = await page.evaluate(() =>
      [...document.querySelectorAll('[role=dialog]')].reduce(
        (most, { scrollWidth, clientWidth }) => Math.max(most, scrollWidth - clientWidth),
        document.documentElement.scrollWidth - innerWidth,
      ),
    )
    if (tooWide > 0) faults.push(`${where}, ${look.name}: ${tooWide} px too wide`)
    if (shots)
      await page.screenshot({ path: join(shots, `${nameOf(`${address} ${clicked.join(' ')}`)}-${look.name}.png`) })
  }
  await page.setViewportSize(firstLook)
  await page.emulateMedia({ colorScheme: firstLook.colorScheme })
}

const nameOf = (text: string) =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '')
    .slice(0, 120)

async function crawl(page: Page, addresses: string[]) {
  await bringClickable(page)
  await page.setViewportSize(firstLook)
  for (const address of addresses.filter((each) => each.includes(only)))
    try {
      faults.push(...(await openAll(page, address, { isKnown, judge: (opened) => judge(page, opened) })))
    } catch (error) {
      faults.push(`${address}: ${error instanceof Error ? error.message : error}`)
    }
}

const addressesOf = (ids: Ids) => [
  ...Object.entries(sessionScreens).map(([route, { at }]) => at?.(ids) ?? route),
  ...shipmentTabs.map((tab) => `/export/dispatch/shipment/${ids.shipment}?tab=${tab}`),
]

/** The first of each list of a server that runs, and all orders and shipments. */
async function addressesAt(page: Page, headers: Record<string, string>): Promise<string[]> {
  const idsOf = async (path: string) => {
    const answer = await page.request.get(`/app/api/v1${path}`, { headers })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return ((await answer.json()) as { payload: { data: { id: string }[] } }).payload.data.map(({ id }) => id)
  }
  const firstOf = async (path: string) => (await idsOf(path))[0] ?? ''
  const group = await firstOf('/groups')
  const [orders, shipments] = [await idsOf('/dispatch/orders'), await idsOf('/export/shipments')]
  const first = addressesOf({
    ...{ device: await firstOf('/devices'), group, record: await firstOf('/enterprise/records') },
    ...{ groupRecord: await firstOf(`/grouprecords/${group}`), alarm: await firstOf('/alarms') },
    ...{ session: await firstOf('/device-sessions'), driver: await firstOf('/dispatch/drivers') },
    ...{ order: orders[0] ?? '', shipment: shipments[0] ?? '' },
  })
  const others = orders.slice(1).map((id) => `/dispatch/order/${id}`)
  const parts = shipments
    .slice(1)
    .flatMap((id) => ['journey', ...shipmentTabs].map((tab) => `/export/dispatch/shipment/${id}?tab=${tab}`))
  return [...first, ...others, ...parts]
}

/** The person reads this language from now on. */
async function speak(page: Page, headers: Record<string, string>) {
  await taken(page.request.patch('/app/api/v1/auth/user/profile', { headers, data: { locale: language } }))
  await page.addInitScript((language) => {
    if (location.protocol === 'about:') return
    localStorage.setItem('isotherm.language', language)
    const session = localStorage.getItem('isotherm.session')
    if (session) localStorage.setItem('isotherm.session', JSON.stringify({ ...JSON.parse(session), locale: language }))
  }, language)
}

const at = option('at')
if (at) {
  const browser = await launchBrowser({ maps: true })
  const context = await browser.newContext({
    baseURL: at,
    timezoneId: 'Africa/Lagos',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  const headers = await logIn(page, option('email') ?? '', option('password'))
  await speak(page, headers)
  await crawl(page, await addressesAt(page, headers))
  await browser.close()
} else {
  const stage = await openStage()
  try {
    const { page, headers, ids } = await foundOneOfEverything(stage, 'admin@dialogs.test')
    await speak(page, headers)
    await crawl(page, addressesOf(ids))
    faults.push(...stage.faults, ...missingTexts)
  } finally {
    await stage.close()
  }
}
console.log(`${judged.size} dialogs and menus were opened and judged; ${faults.length} faults`)
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exitCode = 1
}
