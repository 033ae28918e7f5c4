// @vitest-environment happy-dom
import { dispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyOf, queryClient, refetchCalls } from '../../lib/query.ts'
import { eventually, field, find, leave, logInAs, press, serve, show, type } from '../../test/show.tsx'
import { AddDispatchPage } from './add-dispatch-page.tsx'

// It paints, which the DOM of the tests does not.
vi.mock('./stops-map.tsx', () => ({ StopsMap: () => null }))
// The DOM of the tests has no fonts, which a field that grows with its text listens to.
Object.assign(document, { fonts: new EventTarget() })
beforeEach(() => logInAs('admin'))
afterEach(leave)

test('what was typed stays while what the form began with cannot be loaded again', async () => {
  let isLost = false
  serve(({ path }) =>
    path === '/dispatch/settings' && !isLost
      ? { payload: { currencyInUse: 'NGN' } }
      : { status: 404, code: 'NOT_FOUND', message: 'Not found' },
  )
  await show(<AddDispatchPage />, { texts: ['orders'] })
  const reference = await field('Your reference')
  type(reference, 'PO 4711', { leave: false })
  isLost = true
  await refetchCalls(dispatchSettings.read)
  await eventually(() => expect(queryClient.getQueryState(keyOf(dispatchSettings.read))?.status).toBe('error'))
  // The page has had the time to show it.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect([reference.isConnected, reference.value]).toEqual([true, 'PO 4711'])
})

const at = { radiusM: 150, timezone: 'Africa/Lagos', country: 'NG' }
const [ikeja, apapa] = [
  { address: 'Ikeja', lat: 6.6, lon: 3.35, ...at },
  { address: 'Apapa', lat: 6.44, lon: 3.38, ...at },
]
const person = { contactId: null, company: null, email: null, phone: null }
const box = { name: 'Box', quantity: 2, unitCount: 1, weightG: null, worth: 5_000_000, note: null }
const party = { ...person, name: 'Ada', address: 'Apapa' }
/** An insured order that is written to in French, with a driver whom the list of drivers does not find. */
const edited = {
  ...{ id: '6', trackingCode: 'ZY1E-W7VC-A', version: 3, state: 'new', timezone: 'Africa/Lagos', showsPrivate: false },
  ...{ sender: { ...person, name: 'Store', address: 'Ikeja' }, pickup: ikeja, pickupAt: null },
  ...{ deliverBy: '2099-12-03T16:00:00.000Z', devices: [], driver: { id: '9', name: 'Zainab', isActive: true } },
  vehicle: { id: '4', name: 'Old van', plate: 'KJA 77 QB' },
  receiverList: [{ id: '61', party, stop: apapa, locale: 'fr', windowFrom: null, windowBy: null, items: [box] }],
  insuranceDetails: {
    ...{ state: 'certified', planName: 'Cold cargo', insurer: 'Leadway', premium: 16_500, currency: 'NGN' },
  },
}
const pattern = {
  ...{ reference: null, sender: { ...person, name: 'Store' }, pickup: ikeja, devices: [], showsPrivate: false },
  receivers: [{ ...person, name: 'Ada', stop: apapa, locale: 'fr', windowFrom: null, windowBy: null, items: [box] }],
  ...{ driverId: '9', vehicleId: '4', startRule: 'hand', endRule: 'hand', lot: null, budget: null, deliveryFee: null },
  ...{ otherLines: [], insurancePlanId: null, note: null },
}
const answers: Record<string, unknown> = {
  '/dispatch/settings': { currencyInUse: 'NGN' },
  '/dispatch/orders/6': edited,
  '/dispatch/orders/6/repeat': pattern,
}
const nobody = { data: [], meta: { page: 1, perPage: 200, total: 0, pageCount: 0 }, filterCounts: {} }

test('an insured order that is changed shows its insurance and crew, and keeps what the form does not show', async () => {
  const requests = serve(({ path }) => {
    const [address = ''] = path.split('?')
    if (answers[address]) return { payload: answers[address] }
    if (address === '/dispatch/orders/validate') return { status: 404, code: 'NOT_FOUND', message: 'Not found' }
    if (address === '/dispatch/drivers' || address === '/dispatch/vehicles') return { payload: nobody }
    return { payload: [] }
  })
  await show(<AddDispatchPage />, { path: '/?edit=6', texts: ['orders'] })
  await find('label', 'As it stands: Cold cargo, Leadway')
  expect([(await field('Driver')).value, (await field('Vehicle')).value]).toEqual(['Zainab', 'Old van · KJA 77 QB'])
  expect((await field('Driver')).required).toBe(false)
  const asked = await eventually(() => {
    const found = requests.find(({ path }) => path === '/dispatch/orders/validate')
    if (!found) throw new Error('the price was not asked for')
    return found.body
  })
  expect(asked).toMatchObject({ orderId: '6', deliveryFee: null, insurancePlanId: null })
  await press('Save')
  const sent = await eventually(() => {
    const found = requests.find(({ method }) => method === 'PATCH')
    if (!found) throw new Error('nothing was saved')
    return found.body
  })
  expect(sent).toMatchObject({ receivers: [{ id: '61', locale: 'fr' }], driverId: '9', vehicleId: '4', version: 3 })
})

test('an order that changes is typed in its own currency, one that is made like it has none of its amounts', async () => {
  const paths = { ...answers, '/dispatch/settings': { currencyInUse: 'EUR' } } as Record<string, unknown>
  paths['/dispatch/orders/6'] = { ...edited, insuranceDetails: null, currency: 'NGN' }
  paths['/dispatch/orders/6/repeat'] = { ...pattern, currency: 'NGN', deliveryFee: 700_000 }
  const requests = serve(({ path }) => {
    const [address = ''] = path.split('?')
    if (paths[address]) return { payload: paths[address] }
    if (address === '/dispatch/orders/validate') return { status: 404, code: 'NOT_FOUND', message: 'Not found' }
    return { payload: address === '/dispatch/drivers' || address === '/dispatch/vehicles' ? nobody : [] }
  })
  const asked = (one: (body: Record<string, unknown>) => boolean) =>
    eventually(() => {
      const bodies = requests.flatMap(({ path, body }) => (path === '/dispatch/orders/validate' ? [body] : []))
      const found = (bodies as Record<string, unknown>[]).find(one)
      if (!found) throw new Error('the price was not asked for')
      return found
    })
  await show(<AddDispatchPage />, { path: '/?edit=6', texts: ['orders'] })
  expect(await asked(({ orderId }) => orderId === '6')).toMatchObject({ currency: 'NGN', deliveryFee: 700_000 })
  await leave()
  await logInAs('admin')
  await show(<AddDispatchPage />, { path: '/?repeat=6', texts: ['orders'] })
  await find('div', 'The amounts were in NGN and are left out here: type them in EUR.')
})
