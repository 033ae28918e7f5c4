// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import {
  eventually,
  field,
  find,
  isShown,
  leave,
  logInAs,
  press,
  type Request,
  serve,
  show,
  type,
} from '../../../test/show.tsx'
import { FeaturesPage } from './features-page.tsx'
import { SupportPage } from './support-page.tsx'

const meta = { page: 1, perPage: 10, total: 0, pageCount: 1 }
const at = '2026-11-20T10:00:00Z'
const asked = {
  ...{ id: '7', kind: 'support', title: 'The map is empty', description: 'Since today.', category: 'devices' },
  ...{ urgency: 'high', quantity: null, state: 'answered', at, by: 'Ada Obi', isOwn: false },
  answers: [{ text: 'Please reload.', at }],
}
const price = {
  currency: 'NGN',
  net: 450_000,
  taxes: [{ name: 'VAT', basisPoints: 750, amount: 33_750 }],
  total: 483_750,
}

const answering =
  (payloads: Record<string, unknown>) =>
  ({ method, path }: Request) => ({
    payload: payloads[`${method} ${path.split('?')[0]}`] ?? { data: [], meta, items: [] },
  })
const openSupport = () => show(<SupportPage />, { texts: ['support', 'errors'] })

afterEach(leave)

test('a suggestion is sent as it was written, and of nothing asked for and nothing on sale the screen says so', async () => {
  logInAs('staff')
  const requests = serve(answering({ 'POST /enterprise/suggestion': asked }))
  await openSupport()
  await find('p', 'No requests yet.')
  await find('p', 'Your provider lists nothing here yet.')
  ;(await find('label', 'Suggestion')).click()
  type(await field('Title'), 'A darker map')
  type(await field('Description'), 'For the night.')
  await press('Send')
  const sent = await eventually(() => {
    const found = requests.find(({ path }) => path === '/enterprise/suggestion')
    if (!found) throw new Error('nothing was sent')
    return found
  })
  expect(sent).toMatchObject({
    path: '/enterprise/suggestion',
    body: { title: 'A darker map', description: 'For the night.', category: 'devices', urgency: 'normal' },
  })
})

test('requests have their answers; who may not pay sees prices, and no way to order', async () => {
  logInAs('staff')
  const items = [
    { code: 'probe', name: 'Probe', text: 'Two metres', price },
    { code: 'case', name: 'Case', text: 'For the van', price: null },
  ]
  serve(answering({ 'GET /enterprise/support': { data: [asked], meta }, 'POST /enterprise/gricd': { items } }))
  await openSupport()
  await find('p', 'Please reload.')
  expect(isShown('Support request · Devices · Urgent · Ada Obi')).toBe(true)
  await find('span', /NGN\s4,837\.50 with taxes/)
  await find('span', 'Price on request')
  expect(isShown('Ask to buy')).toBe(false)
})

test('an Admin orders a thing of the store: nothing is charged, the sum is told', async () => {
  logInAs('admin')
  const items = [{ code: 'probe', name: 'Probe', text: 'Two metres', price }]
  const requests = serve(answering({ 'POST /enterprise/gricd': { items }, 'POST /enterprise/gricd/requests': asked }))
  await openSupport()
  await press('Ask to buy: Probe')
  type(await field('Quantity'), '3')
  await find('p', /NGN\s14,512\.50 in all/)
  ;(await find('[role="dialog"] button[type="submit"]', 'Send')).click()
  await eventually(() => expect(requests.some(({ path }) => path === '/enterprise/gricd/requests')).toBe(true))
  expect(requests.find(({ path }) => path === '/enterprise/gricd/requests')?.body).toMatchObject({
    code: 'probe',
    quantity: 3,
  })
})

test('features say what is used of what is allowed, what is missing, and what was asked for', async () => {
  logInAs('staff')
  const none = { measures: [], isIncluded: true, askedAt: null }
  serve(
    answering({
      'GET /enterprise/features': [
        { ...none, module: 'devices', measures: [{ name: 'devices', used: 5, limit: 5 }] },
        { ...none, module: 'alarms', measures: [{ name: 'phones', used: null, limit: 3 }] },
        { ...none, module: 'dispatch', isIncluded: false, askedAt: at },
      ],
    }),
  )
  await show(<FeaturesPage />, { texts: ['support', 'errors'] })
  await find('span', '5 of 5')
  for (const words of ['At its limit', 'at most 3', 'Not included', 'Asked for on']) expect(isShown(words)).toBe(true)
  await find('button', 'Ask for more: Devices')
})
