// Shows what the server pushes while no page is open, opens the page it is about, and keeps the app for a bad line.
const here = (url) => {
  const target = new URL(url ?? '/', self.location.origin)
  return target.origin === self.location.origin ? target.href : self.location.origin
}

self.addEventListener('push', (event) => {
  const { title, body, url, tag, lang, acknowledge } = event.data?.json() ?? {}
  if (!title) return
  const actions = acknowledge ? [{ action: 'acknowledge', title: acknowledge.title }] : []
  const data = { url: here(url), acknowledge: acknowledge && here(acknowledge.url) }
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang, renotify: Boolean(tag), actions, data }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { data } = event.notification
  const url = (event.action === 'acknowledge' && data?.acknowledge) || (data?.url ?? self.location.origin)
  const open = async () => {
    const pages = await self.clients.matchAll({ type: 'window' })
    const page = pages.find((each) => each.url === url)
    return page ? page.focus() : self.clients.openWindow(url)
  }
  event.waitUntil(open())
})

// The app starts on a bad line: its page and its files, whose names change with their content, are kept. Answers of the API are not:
// the page keeps those itself, until its person logs out.
const pages = 'isotherm-page'
const files = 'isotherm-files'
const maxFiles = 400
/** On a line that is slower than this, the page that was kept comes first. */
const patienceMs = 2_000

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(file(request))
  // Share links, walls and the pages of receivers, drivers and consignees have pages of their own, which must not be kept as the app's.
  else if (request.mode === 'navigate' && !/^\/(app\/api\/|(share|wall)\/?$|(track|drive|shipment-link)(\/|$))/.test(pathname)) event.respondWith(page(event))
})

async function file(request) {
  const cache = await caches.open(files)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.status === 200) {
    await cache.put(request, answer.clone())
    const keys = await cache.keys()
    await Promise.all(keys.slice(0, Math.max(0, keys.length - maxFiles)).map((key) => cache.delete(key)))
  }
  return answer
}

async function page(event) {
  const cache = await caches.open(pages)
  const fresh = fetch(event.request).then(async (answer) => {
    const isApp = answer.status === 200 && answer.headers.get('content-type')?.startsWith('text/html')
    if (isApp && !answer.redirected) await cache.put('/', answer.clone())
    return answer
  })
  const kept = await cache.match('/')
  if (!kept) return fresh
  const orKept = fresh.then(
    (answer) => (answer.status >= 500 ? kept : answer),
    () => kept,
  )
  event.waitUntil(orKept)
  return Promise.race([orKept, new Promise((resolve) => setTimeout(resolve, patienceMs, kept))])
}
