import { expect, test } from 'vitest'
import { retryAfterMs } from './http.ts'
import { readAnswer, readCommands } from './wire.ts'

test('an answer is read out of its envelope, with what it lacks as none', () => {
  const payload = {
    accepted: 3,
    commands: [{ commandId: '1', kind: 'power', value: { state: 'off' } }, { kind: 'power' }],
  }
  expect(readAnswer({ success: true, payload })).toEqual({
    accepted: 3,
    duplicates: 0,
    rejected: [],
    commands: [{ commandId: '1', kind: 'power', value: { state: 'off' } }],
  })
  for (const body of [null, 'no', [], {}, { payload: 1 }, { payload: { accepted: 'x' } }])
    expect(readAnswer(body)).toBeNull()
})

test('commands come together or alone; an emptied retained message and noise are none', () => {
  const one = { commandId: '1', kind: 'interval', params: { seconds: 60 } }
  const read = { commandId: '1', kind: 'interval', value: { seconds: 60 } }
  expect(readCommands(JSON.stringify(one))).toEqual([read])
  expect(readCommands(JSON.stringify({ commands: [one, 3, one] }))).toEqual([read, read])
  expect([readCommands(''), readCommands('{'), readCommands('7'), readCommands('{"commands":[]}')]).toEqual([
    [],
    [],
    [],
    [],
  ])
})

test('Retry-After is seconds or a date, a minute at most', () => {
  const now = Date.UTC(2026, 10, 20)
  expect([retryAfterMs('2', now), retryAfterMs('9999', now), retryAfterMs(null), retryAfterMs('soon')]).toEqual([
    2000,
    60_000,
    null,
    null,
  ])
  expect(retryAfterMs(new Date(now + 5000).toUTCString(), now)).toBe(5000)
})
