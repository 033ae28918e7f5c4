// @vitest-environment happy-dom
import type { DriverPage } from '@isotherm/contract/order-links.ts'
import { expect, test, vi } from 'vitest'
import type { Waiting } from './store.ts'
import { buildPage, buildStop } from './test/build-page.ts'

const phone = vi.hoisted(() => ({ isFull: true, waiting: [] as Waiting[] }))
vi.mock('./store.ts', () => {
  const write = async () => {
    if (phone.isFull) throw new DOMException('full', 'QuotaExceededError')
  }
  return {
    add: async (_: string, one: Waiting) => {
      await write()
      phone.waiting.push({ ...one, id: 1 })
    },
    all: async (name: string) => (name === 'waiting' ? [...phone.waiting] : []),
    keepPage: write,
    keptPage: async () => null,
    remove: async () => void phone.waiting.splice(0),
    removeAll: write,
  }
})
vi.mock('./keep-for-offline.ts', () => ({ keepForOffline: async () => undefined }))
// It draws, which the DOM of the tests does not.
vi.mock('../../shared/hand-over/signature-on.ts', () => ({
  signatureSize: {},
  signatureOn: () => ({ clear: () => undefined, read: async () => new Blob(['signed']) }),
}))

// The DOM of the tests has none.
vi.stubGlobal('Option', function option(text: string, value: string) {
  return Object.assign(document.createElement('option'), { text, value })
})

const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 50_000 })
const press = (words: string) =>
  eventually(() => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === words)
    if (!button || button.disabled) throw new Error(`no button ${words} in ${document.body.textContent}`)
    button.click()
  })
const asksBeforeClosing = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('a full phone says that it keeps nothing: what was signed stays in the form', async () => {
  const asked: string[] = []
  let page: DriverPage = buildPage({ stops: [buildStop(1, { state: 'waiting' })] })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url.replace('/app/api/v1', ''))
    return Response.json({ success: true, payload: url.endsWith('/drive') ? page : {} })
  })
  document.body.innerHTML = '<div id="root"></div>'
  await import('./start.ts')
  await press('I am there')
  await eventually(() => expect(document.querySelector('.notice')?.textContent).toContain('its storage is full'))
  page = buildPage({ stops: [buildStop(1, { state: 'arrived', arrivedAt: page.at })] })
  dispatchEvent(new Event('online'))
  expect(asksBeforeClosing()).toBe(false)
  await press('Hand over')
  const name = document.querySelector<HTMLInputElement>('form input[autocomplete=name]')
  if (name) name.value = 'Ada Obiora'
  // The page is asked for each minute: a phone's keyboard and the stroke of a signature end where their form is moved.
  name?.focus()
  const asks = () => asked.filter((path) => path === '/drive').length
  const before = asks()
  dispatchEvent(new Event('online'))
  await eventually(() => expect(asks()).toBe(before + 1))
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.activeElement).toBe(name)
  expect(asksBeforeClosing()).toBe(true)
  await press('Confirm')
  await eventually(() => expect(document.querySelector('form .fault')?.textContent).toContain('its storage is full'))
  expect([name?.isConnected, name?.value, asksBeforeClosing()]).toEqual([true, 'Ada Obiora', true])
  expect(asked).not.toContain('/drive/handover')
  phone.isFull = false
  await press('Confirm')
  await eventually(() => expect(asked).toContain('/drive/handover'))
  await eventually(() => expect(document.querySelector('form')).toBeNull())
  expect([document.body.textContent?.includes('storage is full'), asksBeforeClosing()]).toEqual([false, false])
})
