// Shows what the server pushes while no page is open, and opens the page it is about.
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
