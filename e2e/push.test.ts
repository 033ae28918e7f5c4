import { createECDH } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin as newAdmin } from './people.ts'
import { pusher, withoutPushService } from './pusher.ts'
import { openStage, type Stage } from './stage.ts'

const pair = createECDH('prime256v1')
const publicKey = pair.generateKeys('base64url')
// A key that begins with zeros comes without them.
const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
  .subarray(-32)
  .toString('base64url')
const endpoint = 'https://push.example.test/this-browser'
const auth = Buffer.alloc(16).toString('base64url')

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage(
    {
      CHECK_ANSWERS: '1',
      WEB_PUSH_PUBLIC_KEY: publicKey,
      WEB_PUSH_PRIVATE_KEY: privateKey,
      WEB_PUSH_SUBJECT: 'mailto:ops@example.test',
    },
    { notifications: true },
  )
})
afterAll(() => stage?.close())

const toggle = () => page.getByRole('switch', { name: 'Notifications in this browser' })
async function openSettings() {
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).waitFor({ timeout: 60_000 })
  await toggle().waitFor({ timeout: 60_000 })
}
const answered = (path: string) =>
  page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith(path), {
    timeout: 60_000,
  })

test('a switch subscribes this browser, its worker shows what is pushed, and all ends with the session', async () => {
  page = (await newAdmin(stage, { serviceWorkers: 'allow' })).page
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(withoutPushService, { endpoint, p256dh: publicKey, auth, serverKey: publicKey })
  await page.goto('/dashboard')
  await openSettings()
  expect(await toggle().isChecked()).toBe(false)
  const added = answered('/notifications/push')
  await toggle().click()
  expect((await added).request().postDataJSON()).toMatchObject({ endpoint, p256dh: publicKey })
  expect((await added).status()).toBe(200)
  await expect.poll(() => toggle().isChecked(), { timeout: 60_000 }).toBe(true)
  // Whenever it is opened it tells the server again.
  const again = answered('/notifications/push')
  await page.reload()
  expect((await again).status()).toBe(200)
  await openSettings()
  await expect.poll(() => toggle().isChecked(), { timeout: 60_000 }).toBe(true)

  // A push holds text only, and its link leads nowhere but here.
  const title = 'CRITICAL <script>alert(1)</script> & Fridge'
  const push = await pusher(stage, page)
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      const found = await registration.getNotifications()
      return found.map(({ title, body, data }) => ({ title, body, url: (data as { url: string }).url }))
    })
  // A browser that is busy drops one that comes while it starts the worker; one of the same tag takes the place of the last.
  const pushAgain = async () => {
    await push({ title, body: 'temperature 9.4 °C', url: 'https://elsewhere.test/', tag: 'trigger 1', lang: 'en' })
    return shown()
  }
  await expect.poll(pushAgain, { timeout: 60_000, interval: 2_000 }).toHaveLength(1)
  const [{ url, ...text } = { url: '' }] = await shown()
  expect(text).toEqual({ title, body: 'temperature 9.4 °C' })
  expect(new URL(url).origin).toBe(new URL(stage.base).origin)

  // Logging out ends it, at the server and in the browser.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /account and settings/ }).click()
  const removed = answered('/notifications/push/removal')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  expect((await removed).request().postDataJSON()).toEqual({ endpoint })
  expect((await removed).status()).toBe(200)
  await page.waitForURL('**/login')
  await expect.poll(() => page.evaluate(() => document.cookie), { timeout: 60_000 }).toContain('subscribed=0')
  expect(stage.faults).toEqual([])
})
