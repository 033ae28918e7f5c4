import { notifications } from '@isotherm/contract/notifications.ts'
import { call } from '../../lib/call.ts'
import { onLoggedOut } from '../../lib/session.ts'

/** Whether this browser can be pushed to at all: not on plain http, not everywhere on a phone. */
export const canBePushed = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const worker = () => navigator.serviceWorker.getRegistration('/push-worker.js')

/** This browser's subscription; null where it has none. */
export async function currentPush(): Promise<PushSubscription | null> {
  if (!canBePushed()) return null
  return (await (await worker())?.pushManager.getSubscription()) ?? null
}

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
  await navigator.serviceWorker.register('/push-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })
  const body = {
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey('p256dh')),
    auth: base64url(subscription.getKey('auth')),
  }
  await call(notifications.addBrowser, { body })
  return true
}

/** Ends the pushes to this browser. */
export async function stopPush(): Promise<void> {
  const subscription = await currentPush()
  if (!subscription) return
  await call(notifications.removeBrowser, { body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}

// Whoever comes next to this browser must not hear what was meant for the one before.
onLoggedOut(() => void currentPush().then((subscription) => subscription?.unsubscribe()))
