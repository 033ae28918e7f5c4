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
