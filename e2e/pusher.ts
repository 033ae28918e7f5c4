import type { Page } from 'playwright-core'
import type { Stage } from './stage.ts'

/** Hands the worker of a page a push, as the browser does. */
export async function pusher(stage: Stage, page: Page) {
  const cdp = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations
      if (found) resolve(found.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  return (data: object) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin: stage.base, registrationId, data: JSON.stringify(data) })
}

interface Subscription {
  endpoint: string
  /** Keys in base64url: those of the browser, and the server's that it was made with. */
  p256dh: string
  auth: string
  serverKey: string
}

/** Runs in a page: a subscription as a browser has one, without the push service that this browser cannot reach from here. */
export function withoutPushService({ endpoint, p256dh, auth, serverKey }: Subscription) {
  const isOn = () => document.cookie.includes('subscribed=1')
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0)).buffer
  const set = (on: boolean) => {
    // biome-ignore lint/suspicious/noDocumentCookie: it outlives a reload and the logout, as a subscription does
    document.cookie = `subscribed=${on ? 1 : 0}`
  }
  const subscription = {
    endpoint,
    options: { applicationServerKey: bytes(serverKey) },
    getKey: (name: string) => bytes(name === 'p256dh' ? p256dh : auth),
    unsubscribe: async () => set(false),
  }
  Object.assign(PushManager.prototype, {
    subscribe: async () => {
      set(true)
      return subscription
    },
    getSubscription: async () => (isOn() ? subscription : null),
  })
}
