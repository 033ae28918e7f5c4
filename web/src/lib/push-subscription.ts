import { getSession, onLoggedOut, subscribeSession } from './session.ts'
import { isInSandbox, pushOwnerKey } from './tab-storage.ts'

/** Done once the subscription of a former person has ended, or could not be ended. */
let settled: Promise<void> = Promise.resolve()
let settledFor: string | undefined

/** The subscription of who is logged in to pushes to this browser; null where there is none, or where it was made for another person. */
export async function pushSubscription(): Promise<PushSubscription | null> {
  await settled
  return isOwn() ? subscriptionHere() : null
}

function isOwn() {
  const id = getSession().profile?.id
  return id !== undefined && localStorage.getItem(pushOwnerKey) === id
}

/** This browser's subscription, whoever it was made for. */
export async function subscriptionHere(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in window)) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/**
 * Subscribes this browser for who is logged in; throws where it cannot. A subscription that was made for another person, or for
 * nobody knows whom, is never taken over: it ends first, and where the browser keeps it there is none.
 */
export async function subscribeHere(options: PushSubscriptionOptionsInit): Promise<PushSubscription> {
  await settled
  const { profile } = getSession()
  if (!profile) throw new Error('nobody is known to be logged in')
  const former = isOwn() ? null : await subscriptionHere()
  if (former) await endPushesHere()
  const { pushManager } = await navigator.serviceWorker.ready
  const made = await pushManager.subscribe(options)
  if (made.endpoint === former?.endpoint) throw new Error('the browser keeps the subscription of another person')
  localStorage.setItem(pushOwnerKey, profile.id)
  return made
}

/** Ends the subscription. Until that has succeeded it is nobody's, and the next page or login tries again. */
export async function endPushesHere(): Promise<void> {
  localStorage.setItem(pushOwnerKey, '')
  const subscription = await subscriptionHere()
  if (subscription && !(await subscription.unsubscribe())) throw new Error('the browser keeps its subscription')
  localStorage.removeItem(pushOwnerKey)
}

async function settle(id: string) {
  const owner = localStorage.getItem(pushOwnerKey)
  if (owner !== id && (owner !== null || (await subscriptionHere()))) await endPushesHere()
}

const after = (work: () => Promise<void>) => {
  settled = settled.then(work).catch(() => undefined)
}

function settleForPerson() {
  const id = getSession().profile?.id
  if (isInSandbox || id === undefined || id === settledFor) return
  settledFor = id
  after(() => settle(id))
}

// A session that ends by itself (it expires, or the person's rights have changed) keeps the subscription: its person logs in again,
// and gets pushes as before. After a logout by hand, and when somebody else logs in, the next person at this browser must not get
// messages for the former one.
onLoggedOut(({ isByHand }) => {
  settledFor = undefined
  if (isByHand && !isInSandbox) after(endPushesHere)
})
subscribeSession(settleForPerson)
settleForPerson()
if (!isInSandbox && storesToEnd()) after(endPushesHere)

function storesToEnd() {
  try {
    return localStorage.getItem(pushOwnerKey) === ''
  } catch {
    // Storage may be forbidden.
    return false
  }
}
