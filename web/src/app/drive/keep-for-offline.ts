/** Has the worker keep the page and the files that it has loaded. Without one, as on plain http, the page works while it stays open. */
export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register('/drive-worker.js', { scope: '/drive' }).catch(() => undefined)
  const { active } = await navigator.serviceWorker.ready
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  active?.postMessage({ files: [...new Set(loaded.filter((path) => path.startsWith('/assets/')))] })
}
