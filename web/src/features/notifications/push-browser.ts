import { notifications } from '@isotherm/contract/notifications.ts'
import { call } from '../../lib/call.ts'
import { endPushesHere, pushSubscription, subscribeHere } from '../../lib/push-subscription.ts'
import { startWorker } from '../../lib/worker.ts'

/** Whether this browser can be pushed to at all: not on plain http, not everywhere on a phone. */
export const canBePushed = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const base64url = (bytes: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0))
}

/** Asks the person, subscribes this browser and tells the server; false where the person or the browser refuses. */
export async function startPush(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await startWorker()
  await subscribe(key)
  return true
}

async function subscribe(key: string) {
  const subscription = await subscribeHere({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })
  const body = {
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey('p256dh')),
    auth: base64url(subscription.getKey('auth')),
  }
  await call(notifications.addBrowser, { body })
}

/**
 * Tells the server again of a browser that is subscribed: it may have forgotten it with other sessions of the person, or
 * have another key by now.
 */
export async function renewPush(): Promise<void> {
  const known = await pushSubscription()
  if (!known || Notification.permission !== 'granted') return
  const { key } = await call(notifications.pushKey)
  if (!key) return
  if (base64url(known.options.applicationServerKey) !== key) await known.unsubscribe()
  await subscribe(key)
}

/** Ends the pushes to this browser. */
export async function stopPush(): Promise<void> {
  const subscription = await pushSubscription()
  if (!subscription) return
  await call(notifications.removeBrowser, { body: { endpoint: subscription.endpoint } })
  await endPushesHere()
}
