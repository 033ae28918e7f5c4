import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPair, type PushService, privateKeyOf, startPushService } from '../server/test/push-service.ts'
import { foundCompany, logIn, measure, stockUp } from './devices-company.ts'
import { pusher, withoutPushService } from './pusher.ts'
import { openStage, type Stage } from './stage.ts'

const imei = '490154203237518'
const email = 'admin@pushed.test'
const api = '/app/api/v1'
const own = newPair()
const publicKey = own.getPublicKey('base64url')

let stage: Stage
let service: PushService
let page: Page
let headers: Record<string, string>
let send: (temperatureC: number) => Promise<unknown>

beforeAll(async () => {
  service = await startPushService(['/this-browser'])
  stage = await openStage(
    {
      ...{ CHECK_ANSWERS: '1', WEBHOOK_ALLOW_PRIVATE: '1', WEB_PUSH_SUBJECT: 'mailto:ops@example.test' },
      ...{ WEB_PUSH_PUBLIC_KEY: publicKey, WEB_PUSH_PRIVATE_KEY: privateKeyOf(own) },
    },
    { notifications: true },
  )
  page = await stage.page({ serviceWorkers: 'allow' })
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Pushed Ltd', email)
  headers = await logIn(page, email)
  const { id } = await post('/devices/setup', { imei, licenceKey: key, name: 'Vaccine fridge', intervalS: 180 })
  const { user } = await get('/auth/profile')
  const recipients = [{ userId: user.id, channels: ['app'] }]
  const rule = { kind: 'value', temperatureMaxC: 8 }
  await post('/alarms', { name: 'Too warm', severity: 'critical', deviceIds: [id], recipients, rule })
  let last = Date.now()
  send = (temperatureC) => {
    last = Math.max(Date.now(), last + 1)
    return measure(page, imei, secrets.get(imei) ?? '', { temperatureC, at: new Date(last).toISOString() })
  }
})
afterAll(async () => {
  await stage?.close()
  await service?.close()
})

async function post(path: string, data: object) {
  const answer = await page.request.post(api + path, { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()).payload
}
const get = async (path: string) => (await (await page.request.get(api + path, { headers })).json()).payload

/** Subscribes this browser by the switch. Its push service is one of this machine, which is no address that a page may give. */
async function subscribe() {
  const [browser] = service.browsers
  if (!browser) throw new Error('no browser')
  const endpoint = 'https://push.example.test/this-browser'
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(withoutPushService, { ...browser, endpoint, serverKey: publicKey })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const toggle = page.getByRole('switch', { name: 'Notifications in this browser' })
  // The switch is on before the server knows it, and a page that is left drops its requests.
  const kept = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/notifications/settings'),
  )
  await toggle.click()
  expect((await kept).status()).toBe(200)
  await expect.poll(() => toggle.isChecked()).toBe(true)
  // Every opening of the app tells the server of its subscription anew: none of it is open from here on.
  await page.goto('/worker.js')
  await stage.inDatabase(async (client) => {
    await client.query('begin; set local role pipeline')
    const found = await client.query('select company_id from push_subscriptions')
    await client.query('rollback; begin; set local role app')
    await client.query(`select set_config('app.company_id', $1, true)`, [String(found.rows[0].company_id)])
    await client.query('update push_subscriptions set endpoint = $1', [browser.endpoint])
    await client.query('commit')
  })
}

const shown = () =>
  page.evaluate(async () => {
    const found = await (await navigator.serviceWorker.ready).getNotifications()
    return found.map(({ title, body }) => ({ title, body }))
  })

/**
 * Taps the notification, or its button, and returns the address that the worker opens. A window opens for a real tap only, so the worker is told
 * to name it.
 */
async function tapNotification(action: string): Promise<string> {
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('no worker')
  return worker.evaluate(async (action) => {
    const scope = self as unknown as {
      clients: { openWindow: (url: string) => Promise<null> }
      registration: { getNotifications(): Promise<object[]> }
      NotificationEvent: new (name: string, given: object) => Event
      dispatchEvent(event: Event): void
    }
    const opened = new Promise<string>((resolve) => {
      scope.clients.openWindow = async (url) => {
        resolve(url)
        return null
      }
    })
    const [notification] = await scope.registration.getNotifications()
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action }))
    return opened
  }, action)
}

test('an alarm is pushed: its notification says device, value and limit, a tap opens it, and its button asks once', async () => {
  await subscribe()
  await send(5)
  await send(9.4)
  await expect.poll(() => service.pushed.length, { timeout: 60_000 }).toBe(1)
  const [{ text } = { text: undefined }] = service.pushed
  if (!text) throw new Error('nothing was pushed')
  expect(text.title).toContain('Vaccine fridge')
  expect(text.title.replaceAll(/\s/g, ' ')).toContain('9.4 °C')
  expect(text.title.replaceAll(/\s/g, ' ')).toContain('8.0')

  const push = await pusher(stage, page)
  const pushAgain = async () => {
    await push(text)
    return shown()
  }
  // A browser that is busy drops one that comes while it starts the worker; one of the same tag takes the place of the last.
  await expect.poll(pushAgain, { interval: 2_000 }).toEqual([{ title: text.title, body: text.body }])
  const alarm = await tapNotification('')
  expect(alarm).toBe(new URL(text.url, stage.base).href)
  await expect.poll(pushAgain, { interval: 2_000 }).toHaveLength(1)
  const question = await tapNotification('acknowledge')

  // As on a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(alarm)
  await page.getByRole('dialog').getByText('Vaccine fridge').first().waitFor()
  const fired = async () => (await get('/alarm-triggers?states=open,acknowledged')).data[0].state
  await page.goto(question)
  await page.getByRole('heading', { name: 'Acknowledge?' }).waitFor()
  expect(await fired()).toBe('open')
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await page.getByRole('heading', { name: 'Acknowledged' }).waitFor()
  expect(await fired()).toBe('acknowledged')
  await page.goto('about:blank')
  await page.goto(question)
  await page.getByText('It works once, for 48 hours.').waitFor()
  expect(stage.faults).toEqual([])
})
