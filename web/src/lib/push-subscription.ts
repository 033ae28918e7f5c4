import { onLoggedOut } from './session.ts'

/** This browser's subscription to pushes; null where it has none. */
export async function pushSubscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in window)) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

// The next person at this browser must not get messages for the former one.
onLoggedOut(
  () =>
    void pushSubscription().then(
      (subscription) => subscription?.unsubscribe(),
      () => undefined,
    ),
)
