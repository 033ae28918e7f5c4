import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from './people.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('a browser can install the app: name, icons and a start page are there', async () => {
  const page = await stage.page()
  await page.goto('/login')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await page.request.get(href ?? '')).json()
  expect(manifest).toMatchObject({ name: 'Isotherm', display: 'standalone', start_url: '/dashboard' })
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (url) => {
      const { width, height } = await createImageBitmap(await (await fetch(url)).blob())
      return `${width}x${height}`
    }, src)
    expect(size).toBe(sizes)
  }
})

test('without a line the app opens with what was last known, marked as such; after a logout nothing is left', async () => {
  const { page } = await admin(stage, { serviceWorkers: 'allow' })
  await page.goto('/dashboard')
  await page.getByText('First steps').waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  // The second visit goes through the worker, which keeps its files; leaving it keeps its values.
  await page.reload()
  await page.getByText('First steps').waitFor()
  await page.goto('about:blank')
  await page.context().setOffline(true)
  await page.goto('/dashboard')
  await page.getByText('First steps').waitFor()
  await page.getByText(/You see the last known values, the oldest from/).waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/offline.png` })

  await page.context().setOffline(false)
  await page.getByText(/You see the last known values/).waitFor({ state: 'detached' })
  await page.getByText('First steps').waitFor()
  const known = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('isotherm.known')))
  expect((await known()).length).toBeGreaterThan(0)
  await page.getByRole('button', { name: /Admin of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(/\/login/)
  expect(await known()).toEqual([])
  const kept = () =>
    page.evaluate(async () => {
      const names = await caches.keys()
      const addresses = await Promise.all(
        names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
      )
      return addresses.flat().filter((url) => url.includes('/app/api/'))
    })
  expect(await kept()).toEqual([])
})
