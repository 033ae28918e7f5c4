import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { byLink, hashesOfScripts, sharedPaths } from './web-app.ts'

test('the policy names each script that stands in a page, and none that is asked for', () => {
  const hash = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`
  const page = `<script src="/a.js"></script><script data-texts='{"en":["/b.js"]}'>one()</script><script>two()</script>`
  expect(hashesOfScripts(page)).toBe(` ${hash('one()')} ${hash('two()')}`)
  expect(hashesOfScripts('<p>nothing runs</p>')).toBe('')
})

/** Whether the service worker answers for a page of this path, as it does for those of the app. */
function isKept(pathname: string): boolean {
  const listeners: Record<string, (event: object) => void> = {}
  const origin = 'https://isotherm.test'
  const never = () => new Promise(() => undefined)
  const self = {
    location: { origin },
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener
    },
  }
  const code = readFileSync(new URL('../../../../web/public/worker.js', import.meta.url), 'utf8')
  runInNewContext(code, { self, URL, caches: { open: never }, fetch: never })
  let kept = false
  const request = { url: origin + pathname, method: 'GET', mode: 'navigate' }
  const respondWith = () => {
    kept = true
  }
  listeners.fetch?.({ request, respondWith })
  return kept
}

test('the service worker keeps the page of the app, and no page that is opened by a link', () => {
  for (const path of ['/', '/devices', '/shipments/7', '/tracking']) expect([path, isKept(path)]).toEqual([path, true])
  const opened = byLink.flatMap((name) => [`/${name}`, `/${name}/a-token`])
  for (const path of [...sharedPaths, ...opened]) expect([path, isKept(path)]).toEqual([path, false])
})
