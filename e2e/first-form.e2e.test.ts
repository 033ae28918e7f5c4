import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password } from './devices-company.ts'
import { admin } from './people.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

/** A page whose app does not arrive until `arrive` is called. */
async function withoutApp(options = {}): Promise<{ page: Page; arrive: () => void }> {
  const page = await stage.page(options)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/app-.*\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  return { page, arrive: resolve }
}

const isFirstForm = (page: Page) => page.evaluate(() => 'firstForm' in (document.getElementById('root')?.dataset ?? {}))

test('the login form stands before the app, and the app takes over what was typed and the focus', async () => {
  const { page, arrive } = await withoutApp()
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Mail address').fill('amina@access.test')
  await page.getByLabel('Password', { exact: true }).pressSequentially('cold-r')
  expect(await isFirstForm(page)).toBe(true)
  arrive()
  await expect.poll(() => isFirstForm(page)).toBe(false)
  const field = page.getByLabel('Password', { exact: true })
  expect(await page.getByLabel('Mail address').inputValue()).toBe('amina@access.test')
  expect(await field.inputValue()).toBe('cold-r')
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
})

test('no letter is lost that is typed while the app takes over', async () => {
  const { page, arrive } = await withoutApp()
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Mail address').waitFor()
  // A letter with each turn of the event loop, until the app's own form has had twenty.
  const typing = page.evaluate(async () => {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    const turns = new MessageChannel()
    const turn = () =>
      new Promise((resolve) => {
        turns.port1.onmessage = resolve
        turns.port2.postMessage(null)
      })
    let typed = 0
    for (let more = 20; more > 0; ) {
      await turn()
      const field = document.querySelector<HTMLInputElement>('input[name=email]')
      if (!field) continue
      write?.call(field, `${field.value}a`)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      typed++
      if (!('firstForm' in (document.getElementById('root')?.dataset ?? {}))) more--
    }
    return typed
  })
  arrive()
  const typed = await typing
  expect((await page.getByLabel('Mail address').inputValue()).length).toBe(typed)
})

test('who presses the button before the app has arrived is logged in once it has', async () => {
  const { email } = await admin(stage)
  const { page, arrive } = await withoutApp()
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  expect(await isFirstForm(page)).toBe(true)
  arrive()
  await page.waitForURL('**/dashboard')
})

test('the form speaks the language of the browser, another one when it is chosen, and so does the app', async () => {
  const { page, arrive } = await withoutApp({ locale: 'fr-FR' })
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'Connexion' }).waitFor()
  await page.locator('input[name=email]').fill('amina@access.test')
  await page.getByRole('combobox').selectOption('sw')
  await page.getByRole('heading', { name: 'Ingia' }).waitFor()
  expect(await page.locator('input[name=email]').inputValue()).toBe('amina@access.test')
  expect(await isFirstForm(page)).toBe(true)
  arrive()
  await expect.poll(() => isFirstForm(page)).toBe(false)
  await page.getByRole('heading', { name: 'Ingia' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('sw')
})

test('a language that is chosen while the app reads its texts is the language of the app', async () => {
  const page = await stage.page({ locale: 'en-GB' })
  const { promise: chosen, resolve: choose } = Promise.withResolvers<void>()
  await page.route(/\/assets\/common-.*\.js$/, async (route) => {
    await chosen
    await route.continue()
  })
  const started = page.waitForResponse(/\/assets\/app-.*\.js$/)
  await page.goto('/login', { waitUntil: 'commit' })
  await (await started).finished()
  await page.getByRole('combobox').selectOption('sw')
  expect(await isFirstForm(page)).toBe(true)
  choose()
  await expect.poll(() => isFirstForm(page)).toBe(false)
  await page.getByRole('heading', { name: 'Ingia' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('sw')
})

test('somebody who is logged in sees no login form, and other pages have none', async () => {
  const { page: known } = await admin(stage)
  const storageState = await known.context().storageState()
  const { page, arrive } = await withoutApp({ storageState })
  await page.goto('/login', { waitUntil: 'domcontentloaded' })
  expect(await isFirstForm(page)).toBe(false)
  arrive()
  await page.waitForURL('**/dashboard')
  const guest = await withoutApp()
  await guest.page.goto('/signup', { waitUntil: 'domcontentloaded' })
  expect(await isFirstForm(guest.page)).toBe(false)
  guest.arrive()
})
