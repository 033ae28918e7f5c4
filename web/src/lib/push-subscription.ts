import { getSession, onLoggedOut, subscribeSession } from './session.ts'
import { isInSandbox, pushOwnerKey } from './tab-storage.ts'

/** Done once the subscription of a former person has ended. */
let settled: Promise<void> = Promise.resolve()
let settledFor: string | undefined

/** This browser's subscription to pushes; null where it has none, or where it was another person's. */
export async function pushSubscription(): Promise<PushSubscription | null> {
  await settled
  return subscriptionHere()
}

async function subscriptionHere(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in window)) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** The pushes to this browser are those of the person who is logged in. */
export function ownPushes(): void {
  const { profile } = getSession()
  if (profile) localStorage.setItem(pushOwnerKey, profile.id)
}

async function endPushesHere() {
  await (await subscriptionHere())?.unsubscribe()
  localStorage.removeItem(pushOwnerKey)
}

async function settle(id: string) {
  const owner = localStorage.getItem(pushOwnerKey)
  if (owner !== null && owner !== id) await endPushesHere()
  else if (await subscriptionHere()) ownPushes()
}

function settleForPerson() {
  const id = getSession().profile?.id
  if (isInSandbox || id === undefined || id === settledFor) return
  settledFor = id
  settled = settled.then(() => settle(id)).catch(() => undefined)
}

// A session that expires keeps the subscription: its person logs in again, and gets pushes as before. After a logout by hand,
// and when somebody else logs in, the next person at this browser must not get messages for the former one.
onLoggedOut((token) => {
  settledFor = undefined
  if (token !== null && !isInSandbox) settled = settled.then(endPushesHere).catch(() => undefined)
})
subscribeSession(settleForPerson)
settleForPerson()
