import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PaymentPeer } from '@isotherm/simulator/payments/peer.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveClock } from '../bench/money/moved-clock.ts'
import { runJobs } from '../bench/money/run-jobs.ts'
import { axeFaults } from './axe.ts'
import { logIn, password, provider } from './devices-company.ts'
import { openMoneyStage } from './money-stage.ts'
import { freshAddress, tokenOf } from './people.ts'
import type { Stage } from './stage.ts'

/* From signing up to the first renewal that is paid, by clicks, with the server's clock moved on. With SHOTS in all languages, and with pictures. */

const shots = process.env.SHOTS
const locales = shots ? (['en', 'fr', 'es', 'sw'] as const) : (['en'] as const)
type Locale = (typeof locales)[number]
const dayMs = 86_400_000

let folder: string
let bank: PaymentPeer
let stage: Stage
let jobs: Awaited<ReturnType<typeof runJobs>>
let moved = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-walk-'))
  const clock = join(folder, 'clock')
  moveClock(clock, 0)
  const main = { SERVER_MAIN: 'bench/money/moved-server.ts', BENCH_CLOCK: clock }
  const opened = await openMoneyStage({ BILLING: 'on', ...main })
  bank = opened.bank
  stage = opened.stage
  // The minutes of the moved clock, by which jobs run, are seconds.
  jobs = await runJobs(stage.databaseUrl)
  await provider(stage, 'plans', 'defaults')
  for (const [plan, month, year] of [
    ['one-device', '9500', '95000'],
    ['five-devices', '40000', '400000'],
    ['ten-devices', '70000', '700000'],
  ] as const) {
    const set = ['prices', 'set', plan, '--currency', 'NGN', '--billing']
    await provider(stage, ...set, 'monthly', '--amount', month)
    await provider(stage, ...set, 'annually', '--amount', year)
  }
})
afterAll(async () => {
  await jobs?.stop()
  await stage?.close()
  await bank?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The texts of a language by namespace and key, as people read them. */
async function textsOf(locale: Locale) {
  const file = async (name: string) =>
    JSON.parse(await readFile(new URL(`../contract/locales/${locale}/${name}.json`, import.meta.url), 'utf8'))
  const names = ['auth', 'company', 'notifications', 'subscription', 'terms', 'wallet'] as const
  const texts = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await file(name)])))
  return (key: string, values: Record<string, string> = {}): string => {
    const [name = '', path = ''] = key.split(':')
    const text = path.split('.').reduce((at, part) => at?.[part], texts[name])
    if (typeof text !== 'string') throw new Error(`no text ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, value: string) => values[value] ?? '')
  }
}

/** The name of the plan that is chosen, which was made by default. */
const fivesOf = (say: Walker['say']) => say('subscription:plans.devices_other', { number: '5' })

const regions = { en: 'en-GB', fr: 'fr-FR', es: 'es-ES', sw: 'sw-KE' }

interface Walker {
  locale: Locale
  page: Page
  email: string
  say: Awaited<ReturnType<typeof textsOf>>
}

async function shoot({ locale, page }: Walker, name: string) {
  if (!shots) return
  await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0)
  for (const [width, height] of [
    [390, 844],
    [1366, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await page.screenshot({ path: join(shots, `walk-${name}-${locale}-${width}.png`), fullPage: true })
    expect([name, locale, width, Math.max(0, wide)]).toEqual([name, locale, width, 0])
  }
}

/** The browser's clock stands where the server's is. */
const inTime = ({ page }: Walker) => page.clock.setSystemTime(new Date(Date.now() + moved))

async function signUp(locale: Locale): Promise<Walker> {
  const page = await stage.page({ locale: regions[locale] })
  const say = await textsOf(locale)
  const email = freshAddress(`amina-${locale}`)
  const walker = { locale, page, email, say }
  await page.goto('/signup')
  const company = page.getByLabel(say('auth:fields.companyName'), { exact: true })
  await company.fill('Lagos Cold Stores')
  await page.getByLabel(say('auth:fields.fullname'), { exact: true }).fill('Amina Yusuf')
  await page.getByLabel(say('auth:fields.email'), { exact: true }).fill(email)
  await page.getByLabel(say('auth:fields.password'), { exact: true }).fill(password)
  await shoot(walker, '01-sign-up')
  await page.getByRole('button', { name: say('auth:signUp.submit') }).click()
  await page.getByText(say('auth:checkMail.verify', { email })).waitFor()
  await shoot(walker, '02-check-mail')
  await page.goto(await stage.mailedLink(email, 'verify'))
  await page.getByRole('button', { name: say('auth:verify.submit') }).click()
  await page.getByText(say('auth:verify.doneText')).waitFor()
  await page.goto('/login')
  await page.getByLabel(say('auth:fields.email'), { exact: true }).fill(email)
  await page.getByLabel(say('auth:fields.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: say('auth:login.submit'), exact: true }).click()
  const accept = page.getByRole('button', { name: say('terms:accept') })
  await accept.waitFor()
  await shoot(walker, '03-terms')
  await accept.click()
  await page.getByRole('heading', { name: say('company:once.title') }).waitFor()
  await shoot(walker, '04-company')
  await page.getByRole('link', { name: say('company:once.later') }).click()
  await page.waitForURL('**/dashboard')
  await shoot(walker, '05-dashboard')
  return walker
}

const drawer = ({ page }: Walker) => page.getByRole('dialog')

async function subscribe(walker: Walker): Promise<void> {
  const { page, say } = walker
  await page.goto('/subscription')
  await page.waitForURL('**/subscription/devices')
  await page
    .getByText(/43[.,\s\u00a0\u202f]000/)
    .first()
    .waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot(walker, '06-plans')
  await page.getByRole('button', { name: say('subscription:plans.chooseOne', { plan: fivesOf(say) }) }).click()
  await drawer(walker).getByLabel(say('wallet:details.address'), { exact: true }).fill('5 Broad Street\nLagos')
  await shoot(walker, '07-details')
  await drawer(walker)
    .getByRole('button', { name: say('wallet:details.submit') })
    .click()
  await drawer(walker).getByText(/^VAT/).waitFor()
  await drawer(walker).getByRole('checkbox').check()
  expect(await axeFaults(page)).toEqual([])
  await shoot(walker, '08-order')
  await drawer(walker).locator('button[type=submit]').click()
  await page.getByRole('heading', { name: 'Pretend bank' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL('**/subscription/devices?payment=*')
  await page.getByText(say('wallet:payment.state.succeeded'), { exact: true }).waitFor()
  await page.getByRole('region', { name: fivesOf(say), exact: true }).waitFor()
  await shoot(walker, '09-paid')
  await page.goto('/subscription/cards')
  await page.getByText('4081').first().waitFor()
  await shoot(walker, '10-cards')
}

/** The end of the period that is paid, as the server says it. */
async function endOf({ page }: Walker): Promise<number> {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  const answer = await page.request.get('/app/api/v1/enterprise/subscriptions', { headers })
  if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`)
  const { payload } = (await answer.json()) as { payload: { data: { periodEnd: string }[] } }
  return new Date(payload.data[0]?.periodEnd ?? '').getTime()
}

function moveTo(at: number): void {
  moved = at - Date.now()
  moveClock(join(folder, 'clock'), moved)
}

/** The number of invoices in the list: whoever has paid has one. */
async function invoicesOf({ page, say }: Walker): Promise<number> {
  await page.goto('/subscription/invoices')
  await page.getByRole('heading', { name: say('wallet:invoices.title') }).waitFor()
  const numbers = page.getByText(/^INV-\d{4}-\d{4}$/).filter({ visible: true })
  await numbers.first().waitFor()
  return numbers.count()
}

test('somebody signs up, tries, picks a plan, pays, and is charged for the next month after a notice', async () => {
  moveTo(Date.now())
  const walkers: Walker[] = []
  for (const locale of locales) walkers.push(await signUp(locale))
  for (const walker of walkers) await subscribe(walker)
  const ends = await Promise.all(walkers.map(endOf))
  // The notice comes three days before, in the morning of Lagos.
  moveTo(Math.min(...ends) - 2 * dayMs)
  const lines = async ({ page }: Walker) => {
    const answer = await page.request.get('/app/api/v1/enterprise/notifications', {
      headers: { authorization: `Bearer ${await tokenOf(page)}` },
    })
    if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`)
    const { payload } = (await answer.json()) as { payload: { data: { kind: string }[] } }
    return payload.data.filter(({ kind }) => kind === 'billing').length
  }
  for (const walker of walkers) {
    // Sessions do not last so long.
    await logIn(walker.page, walker.email)
    await expect.poll(() => lines(walker), { timeout: 60_000, interval: 2_000 }).toBe(2)
    await inTime(walker)
    const { page, say } = walker
    await page.goto('/dashboard')
    await page.getByRole('button', { name: new RegExp(`^${say('notifications:bell')}`) }).click()
    await drawer(walker).getByText(fivesOf(say)).first().waitFor()
    await shoot(walker, '11-notice')
  }
  moveTo(Math.max(...ends) + dayMs)
  for (const walker of walkers) {
    const end = ends[walkers.indexOf(walker)] ?? 0
    await logIn(walker.page, walker.email)
    await expect.poll(() => endOf(walker), { timeout: 60_000, interval: 2_000 }).toBeGreaterThan(end + 20 * dayMs)
    await inTime(walker)
    await walker.page.goto('/subscription/devices')
    await walker.page.getByRole('region', { name: fivesOf(walker.say), exact: true }).waitFor()
    await shoot(walker, '12-renewed')
    await expect.poll(() => invoicesOf(walker), { timeout: 60_000 }).toBe(2)
    await shoot(walker, '13-invoices')
    await walker.page.goto('/wallet/overview')
    await walker.page
      .getByRole('heading', { name: walker.say('wallet:title') })
      .first()
      .waitFor()
    await shoot(walker, '14-wallet')
    await walker.page.goto('/support')
    await walker.page.getByRole('heading').first().waitFor()
    await shoot(walker, '15-support')
  }
  expect(bank.movements).toHaveLength(2 * walkers.length)
  expect(stage.faults).toEqual([])
}, 900_000)
