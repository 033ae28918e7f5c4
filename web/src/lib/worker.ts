/** The worker of this site, which shows pushes and keeps the app for a bad line; null where the browser has none, as on plain http. */
export const startWorker = async (): Promise<ServiceWorkerRegistration | null> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.register('/worker.js') : null
