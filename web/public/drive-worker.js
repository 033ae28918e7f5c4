// Keeps the driver's page and its files for where there is no network. Answers of the API are not kept here: the page keeps its own.
const kept = 'isotherm-drive'
const page = '/drive'
/** On a line that is slower than this, the page that was kept comes first. */
const patienceMs = 4_000

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.add(page)))
  self.skipWaiting()
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

// The page tells which files it has loaded: those of before this worker came, too.
self.addEventListener('message', ({ data }) => {
  if (Array.isArray(data?.files)) void keepOnly(data.files)
})

async function keepOnly(files) {
  const cache = await caches.open(kept)
  for (const file of files) if (!(await cache.match(file))) await cache.add(file).catch(() => undefined)
  const wanted = new Set([page, ...files].map((file) => new URL(file, self.location.origin).href))
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request)
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(file(request))
  else if (request.mode === 'navigate') event.respondWith(fresh(request))
})

const file = async (request) => (await caches.match(request)) ?? fetch(request)

async function fresh(request) {
  const cache = await caches.open(kept)
  const old = await cache.match(page)
  const asked = fetch(request).then(async (answer) => {
    if (answer.status === 200) await cache.put(page, answer.clone())
    return answer.status >= 500 && old ? old : answer
  })
  if (!old) return asked
  const orOld = asked.catch(() => old)
  return Promise.race([orOld, new Promise((resolve) => setTimeout(resolve, patienceMs, old))])
}
