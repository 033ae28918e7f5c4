import { describe, expect, test } from 'vitest'
import { type Message, messagesOf, recipientsOf } from './messages.ts'
import type { Recipient, WaitingEvent } from './reading.ts'
import { planOf, type Recent } from './write-messages.ts'

const now = new Date('2026-11-20T12:00:00Z')
const circumstances = { now, publicUrl: 'https://cold.test' }

const eventOf = (id: number, given: Partial<WaitingEvent> = {}): WaitingEvent => ({
  ...{ id: String(id), companyId: 1, kind: 'opened', at: now.toISOString(), alarmId: '1', alarmName: 'Too warm' },
  ...{ severity: 'warning', triggerId: String(id), deviceId: id, isPrivate: false, isEscalated: false },
  ...{ condition: 'temperatureMax', names: { device: `Fridge ${id}` }, position: null, limit: 800, cumulative: null },
  ...{ value: 900, peak: 900, breachAt: now.toISOString(), normalAt: null, late: false },
  ...given,
})
const recipientOf = (given: Partial<Recipient> = {}): Recipient => ({
  ...{ companyId: 1, alarmId: '1', tier: 1, userId: '7', address: 'ada@example.test', phone: null, channels: ['mail'] },
  ...{ hearsPrivate: false, locale: 'en', timezone: 'UTC', quietFrom: null, quietTo: null },
  ...given,
})
const alertOf = (event: WaitingEvent) => ({
  event,
  alert: {
    ...{ event: event.kind, alarm: event.alarmName, device: `Fridge ${event.deviceId}`, severity: event.severity },
    ...{ condition: 'temperatureMax', fence: null, limit: 800, cumulative: null, value: 900, peak: 900 },
    ...{ since: event.at, normalAt: null, late: false, place: null },
  },
})
const messages = (events: WaitingEvent[], recipients = [recipientOf()]): Message[] =>
  messagesOf(events.map(alertOf), recipients, circumstances)
const about = (all: readonly Message[]) => all.map(({ channel, triggerIds }) => [channel, triggerIds])

describe('the recipients of an event', () => {
  const [first, second] = [recipientOf(), recipientOf({ tier: 2, userId: '8' })]
  test.each([
    ['an opening', { kind: 'opened' }, ['7']],
    ['an escalation', { kind: 'escalated' }, ['8']],
    ['a reminder', { kind: 'reminder' }, ['7']],
    ['a reminder after the escalation', { kind: 'reminder', isEscalated: true }, ['7', '8']],
    ['news of a private device', { isPrivate: true }, []],
    ['news of another alarm', { alarmId: '2' }, []],
    ['news of another company', { companyId: 2 }, []],
  ] as const)('of %s', (_, given, expected) => {
    expect(recipientsOf(eventOf(1, given), [first, second]).map(({ userId }) => userId)).toEqual(expected)
  })
  test('of something private are those who may hear of it', () => {
    const admin = recipientOf({ hearsPrivate: true })
    expect(recipientsOf(eventOf(1, { isPrivate: true }), [first, admin])).toEqual([admin])
  })
})

describe('events that are told at once', () => {
  test('are one message per device, person and channel', () => {
    const recipients = [recipientOf({ channels: ['mail', 'webhook', 'app'] })]
    const events = [eventOf(1), eventOf(2, { deviceId: 1 }), eventOf(3)]
    expect(about(messages(events, recipients))).toEqual([
      ['mail', ['1', '2']],
      ['mail', ['3']],
      ['webhook', ['1', '2']],
      ['webhook', ['3']],
    ])
  })
  test('of more than five devices are one message that names five', () => {
    const events = [1, 2, 3, 4, 5, 6, 7].map((id) => eventOf(id))
    expect(messages(events)).toMatchObject([
      { devices: 7, payload: { more: 2, deviceIds: [1, 2, 3, 4, 5] }, triggerIds: ['1', '2', '3', '4', '5', '6', '7'] },
    ])
    expect(messages(events.slice(0, 5))).toHaveLength(5)
  })
  test('are critical where one is', () => {
    const [message] = messages([eventOf(1), eventOf(2, { deviceId: 1, severity: 'critical' })])
    expect(message?.severity).toBe('critical')
  })
  test('of two kinds are two messages', () => {
    expect(messages([eventOf(1), eventOf(2, { deviceId: 1, kind: 'normal' })])).toHaveLength(2)
  })
  test('reach somebody who is named twice once', () => {
    expect(about(messages([eventOf(1)], [recipientOf(), recipientOf()]))).toEqual([['mail', ['1']]])
  })
  test('without an address are skipped, and in quiet hours held until they end, unless they are critical', () => {
    const quiet = recipientOf({ quietFrom: '11:00', quietTo: '13:00' })
    const states = (severity: 'warning' | 'critical', recipient: Recipient) =>
      messages([eventOf(1, { severity })], [recipient]).map(({ state, reason, holdUntil }) => [
        state,
        reason,
        holdUntil,
      ])
    expect(states('warning', quiet)).toEqual([['held', 'quietHours', new Date('2026-11-20T13:00:00Z')]])
    expect(states('critical', quiet)).toEqual([['queued', null, null]])
    expect(states('warning', recipientOf({ channels: ['sms'] }))).toEqual([['skipped', 'noAddress', null]])
  })
})

test('of a sample device nothing that costs units is sent, and what else is told at once is not held back', () => {
  const recipient = recipientOf({ channels: ['mail', 'sms', 'chat'], phone: '+2348000000000' })
  const told = messages([eventOf(1, { isSample: true }), eventOf(2)], [recipient])
  expect(told.map(({ channel, triggerIds, state, reason }) => [channel, triggerIds, state, reason])).toEqual([
    ['mail', ['1'], 'queued', null],
    ['mail', ['2'], 'queued', null],
    ['sms', ['1'], 'skipped', 'sample'],
    ['chat', ['1'], 'skipped', 'sample'],
    ['sms', ['2'], 'queued', null],
    ['chat', ['2'], 'queued', null],
  ])
})

describe('messages of one minute', () => {
  const recentOf = (message: Message, given: Partial<Recent> = {}): Recent => ({
    ...{
      companyId: 1,
      channel: 'mail',
      event: 'opened',
      severity: message.severity,
      units: 0,
      weight: 1,
      locale: 'en',
    },
    ...{ alarmId: '1', id: '90', whom: '7', state: 'queued', reason: null, payload: message.payload, isOver: false },
    ...given,
  })
  const plan = (all: Message[], recent: Recent[] = []) => planOf(all, recent, now, circumstances.publicUrl)
  const one = (id: number, given: Partial<WaitingEvent> = {}) => messages([eventOf(id, given)])[0] as Message

  test('of a device that was told of are not sent again, but linked to what was', () => {
    const { inserts, links } = plan([one(2, { deviceId: 1 })], [recentOf(one(1))])
    expect(inserts).toEqual([])
    expect(links).toEqual([{ companyId: 1, id: '90', triggerIds: ['2'] }])
  })
  test('are sent where they are worse, or the former is over', () => {
    expect(plan([one(2, { deviceId: 1, severity: 'critical' })], [recentOf(one(1))]).inserts).toHaveLength(1)
    expect(plan([one(2, { deviceId: 1 })], [recentOf(one(1), { isOver: true })]).inserts).toHaveLength(1)
  })
  test('beyond five are gathered in one that is held for a minute', () => {
    const { inserts } = plan([1, 2, 3, 4, 5, 6, 7, 8].map((id) => one(id)))
    expect(inserts.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued', 'queued', 'queued', 'held'])
    expect(inserts[5]).toMatchObject({
      reason: 'storm',
      holdUntil: new Date('2026-11-20T12:01:00Z'),
      payload: { more: 2 },
      triggerIds: ['6', '7', '8'],
    })
  })
  test('join one that is held already', () => {
    const held = recentOf(one(1), { state: 'held', reason: 'storm' })
    const { inserts, links, gathered } = plan([one(2)], [held])
    expect([inserts, links, [...gathered]]).toEqual([[], [{ companyId: 1, id: '90', triggerIds: ['2'] }], [held]])
    expect(held.payload.more).toBe(1)
  })
  test('that say that something is normal are never gathered', () => {
    const { inserts } = plan([1, 2, 3, 4, 5, 6, 7].map((id) => one(id, { kind: 'normal' })))
    expect(inserts.every(({ state }) => state === 'queued')).toBe(true)
  })
})
