// @vitest-environment page
import type { ShipmentDetails, ShipmentEvent } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, field, find, leave, logInAs, serve, show, type } from '../../../test/show.tsx'
import { MilestoneDialog } from './milestone-dialog.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

const shipment = {
  ...{ id: '7', state: 'ongoing', legs: [], events: [] },
  ...{ origin: { timezone: 'America/Lima' }, destination: { timezone: 'Asia/Shanghai' } },
} as unknown as ShipmentDetails

test('who corrects the place alone leaves the instant as it was, with its seconds', async () => {
  logInAs('admin')
  const event = {
    ...{ id: '9', kind: 'loaded', legId: null, placeName: 'Callao', timezone: 'America/Lima' },
    occurredAt: '2026-11-20T15:15:42.000Z',
  } as ShipmentEvent
  const requests = serve(() => ({ payload: shipment }))
  await show(<MilestoneDialog shipment={shipment} corrects={event} onClose={() => {}} />, { texts: ['shipments'] })
  type(await field('Place'), 'Callao, quay 5')
  ;(await find('button[type=submit]')).click()
  await eventually(() => expect(requests).toHaveLength(1))
  expect(requests[0]?.body).toMatchObject({ at: event.occurredAt, placeName: 'Callao, quay 5', corrects: '9' })
})

test.each([
  ['delivered', 'Asia/Shanghai', '2026-11-20T23:15'],
  ['loaded', 'America/Lima', '2026-11-20T10:15'],
] as const)('the time that is filled in stays now where "%s" is chosen, which is in %s', async (kind, timezone, at) => {
  vi.useFakeTimers({ now: new Date('2026-11-20T15:15:42Z'), toFake: ['Date'] })
  logInAs('admin')
  const requests = serve(() => ({ payload: shipment }))
  await show(<MilestoneDialog shipment={shipment} onClose={() => {}} />, { texts: ['shipments'] })
  const select = await field('Milestone')
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, kind)
  select.dispatchEvent(new Event('change', { bubbles: true }))
  ;(await find('button[type=submit]')).click()
  await eventually(() => expect(requests).toHaveLength(1))
  expect(requests[0]?.body).toMatchObject({ kind, timezone, at })
})
