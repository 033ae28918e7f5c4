import { notifications } from '@isotherm/contract/notifications.ts'
import { call } from '../../lib/call.ts'
import { subscriptionHere } from '../../lib/push-subscription.ts'
import { logOut } from '../../lib/session.ts'
import { isInSandbox } from '../../lib/tab-storage.ts'

const patienceMs = 2_000

/**
 * Logs out: the server ends the pushes to this browser, then the session; whether or not it can be reached, this browser
 * forgets both.
 */
export async function leave(): Promise<void> {
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, patienceMs)
  })
  // The pushes to this browser are those of the company itself.
  if (isInSandbox) return logOut()
  await Promise.race([endPushes().catch(() => undefined), patience])
  logOut()
}

async function endPushes() {
  const subscription = await subscriptionHere()
  if (subscription) await call(notifications.removeBrowser, { body: { endpoint: subscription.endpoint } })
}
