import { expect, test } from 'vitest'
import type { Alert } from '../../core/alerts/alert-texts.ts'
import { smsSegments } from '../../platform/messaging/sms-segments.ts'
import { chatText, type Payload, smsText } from './messages.ts'

const alert: Alert = {
  ...{ event: 'opened', severity: 'critical', alarm: 'Vaccins', device: 'Frigo 1', condition: 'temperatureMax' },
  ...{ fence: null, limit: 8, value: 9.4, peak: 9.4, latest: 9.4, since: '2026-11-20T12:00:00.000Z', normalAt: null },
  ...{ place: 'Lagos', late: false },
}
const payloadOf = (more: Partial<Alert>): Payload => ({
  ...{ alerts: [{ ...alert, ...more }], more: 0, deviceId: 1, triggerId: '1', timezone: 'UTC' },
})
const noBreak = /[\u00a0\u202f]/
const url = 'https://cold.test'

test.each([
  'opened',
  'reminder',
  'escalated',
  'unsnoozed',
  'test',
  'normal',
  'worsened',
  'withdrawn',
  'assigned',
] as const)('a French SMS that tells of %s is one of the default alphabet', (event) => {
  const payload = payloadOf({ event, normalAt: event === 'normal' ? '2026-11-20T12:39:00.000Z' : null })
  const text = smsText(payload, 'fr', url)
  expect(smsSegments(text)).toBe(text.length <= 160 ? 1 : 2)
  expect(text).not.toMatch(noBreak)
  // A chat has all signs, and keeps the spaces that do not break.
  expect(chatText(payload, 'fr', url)).toMatch(noBreak)
})
