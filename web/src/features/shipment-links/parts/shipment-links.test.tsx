// @vitest-environment page
import { afterEach, expect, test, vi } from 'vitest'
import { dismissToast, getToasts } from '../../../lib/toast.ts'
import { eventually, find, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
import { ShipmentLinks } from './shipment-links.tsx'

afterEach(() => {
  leave()
  for (const { id } of getToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

const link = {
  ...{ id: '3', url: 'https://cold.example/s#secret', label: 'Buyer', locale: null, showsDocuments: false },
  ...{ createdAt: '2026-11-20T12:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z', lastReadAt: null },
}

async function copyWith(clipboard: object | undefined, isCopied: boolean) {
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: clipboard } }))
  let selected = ''
  document.execCommand = () => {
    selected = document.querySelector('textarea')?.value ?? ''
    return isCopied
  }
  logInAs('admin')
  serve(() => ({ payload: [link] }))
  await show(<ShipmentLinks shipmentId="7" isCancelled={false} />, { texts: ['shipmentLinks'] })
  await find('li', 'Buyer')
  await press(/^Copy/)
  await eventually(() => expect(getToasts()).toHaveLength(1))
  return { selected, toast: getToasts()[0] }
}

test('a page without TLS copies a link, too', async () => {
  const { selected, toast } = await copyWith(undefined, true)
  expect([selected, toast?.kind]).toEqual([link.url, 'success'])
})

test('a link that the browser does not copy is said, with its address', async () => {
  const refuses = { writeText: async () => Promise.reject(new Error('not allowed')) }
  const { toast } = await copyWith(refuses, false)
  expect(toast?.kind).toBe('error')
  expect(toast?.text).toContain(link.url)
})

test('no link of a cancelled shipment is made or replaced; one that is there is revoked', async () => {
  logInAs('admin')
  serve(() => ({ payload: [link] }))
  await show(<ShipmentLinks shipmentId="7" isCancelled />, { texts: ['shipmentLinks'] })
  await find('p', 'The shipment was cancelled: no more links are made.')
  await find('li', 'Buyer')
  const buttons = [...document.querySelectorAll('button')].map(({ textContent }) => textContent)
  expect(buttons).toEqual(['Copy the link', 'Revoke'])
})
