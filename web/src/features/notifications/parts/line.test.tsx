// @vitest-environment page
import type { Notification } from '@isotherm/contract/notifications.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { NotificationLine } from './line.tsx'

const line = (more: Partial<Notification>): Notification => ({
  ...{ id: '1', kind: 'placeLeft', severity: 'info', title: 'Van 3', text: 'Van 3 left VT yard' },
  ...{
    deviceId: '7',
    deviceName: 'Van 3',
    alarmId: null,
    triggerId: null,
    orderId: null,
    shipmentId: null,
    at: '2026-11-20T12:00:00Z',
    readAt: null,
  },
  ...more,
})
const showLine = (more: Partial<Notification> = {}) =>
  show(<NotificationLine notification={line(more)} onOpen={() => undefined} />, { texts: ['notifications'] })

afterEach(leave)

test.each([
  ['an alarm that fired', { alarmId: '5', triggerId: '11' }, '/alarms/triggered-alarms?trigger=11'],
  ['a message that failed', { kind: 'deliveryFailed', alarmId: '5' }, '/alarms/5/details'],
  ['a border that a device crossed', {}, '/devices/7/details'],
  ['units that run out', { kind: 'wallet', deviceId: null }, '/wallet/overview'],
] as const)('it leads to what it speaks of: %s', async (_what, more, goal) => {
  logInAs('admin')
  await showLine(more)
  expect((await find('a', 'left VT yard')).getAttribute('href')).toBe(goal)
})

test('what leads nowhere is marked as read, once', async () => {
  logInAs('admin')
  const requests = serve(() => ({ payload: { done: true } }))
  await showLine({ deviceId: null })
  const button = await find('button', 'left VT yard')
  button.click()
  await eventually(() => expect(requests).toContainEqual(expect.objectContaining({ body: { ids: ['1'] } })))
})
