import { auth } from '@isotherm/contract/auth.ts'
import { notifications } from '@isotherm/contract/notifications.ts'
import { call } from '../../lib/call.ts'
import { pushSubscription } from '../../lib/push-subscription.ts'
import { logOut } from '../../lib/session.ts'

const patienceMs = 2_000

/**
 * Logs out: the server ends the pushes to this browser and revokes the token; whether or not it can be reached, this browser
 * forgets both.
 */
export async function leave(): Promise<void> {
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, patienceMs)
  })
  await Promise.race([endPushes().catch(() => undefined), patience])
  call(auth.logout).catch(() => undefined)
  logOut()
}

async function endPushes() {
  const subscription = await pushSubscription()
  if (subscription) await call(notifications.removeBrowser, { body: { endpoint: subscription.endpoint } })
}
