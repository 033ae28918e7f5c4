import { expect, test } from 'vitest'
import { freshDuty, measures, obey, transmits } from './duty.ts'
import { ordersOf } from './orders.ts'

const at = Date.UTC(2026, 10, 18, 12) / 1000
const command = (kind: string, value: Record<string, unknown>) => ({ commandId: '7', kind, value })

test('an interval in seconds is taken; nonsense is refused and changes nothing', () => {
  const duty = freshDuty(300)
  expect(obey(duty, command('interval', { intervalS: 600 }), at)).toEqual({
    duty: { ...duty, intervalS: 600 },
    ack: { commandId: '7', at: '2026-11-18T12:00:00.000Z', ok: true },
  })
  expect(obey(duty, command('interval', { seconds: 900 }), at).duty.intervalS).toBe(900)
  for (const value of [{}, { intervalS: 0 }, { intervalS: '600' }, { intervalS: 1e9 }, { intervalS: 300.5 }]) {
    const { duty: after, ack } = obey(duty, command('interval', value), at)
    expect([after, ack.ok]).toEqual([duty, false])
  }
  expect(obey(duty, command('dance', { state: 'on' }), at).ack.ok).toBe(false)
})

test('paused and switched off it measures nothing; in flight mode it measures and keeps', () => {
  const duty = freshDuty(300)
  for (const [kind, state] of [
    ['transmission', 'paused'],
    ['power', 'off'],
  ] as const) {
    const quiet = obey(duty, command(kind, { state }), at).duty
    expect([measures(quiet), transmits(quiet, at)]).toEqual([false, false])
  }
  const flying = obey(duty, command('flight_mode', { state: 'on' }), at).duty
  expect([measures(flying), transmits(flying, at + 60)]).toEqual([true, false])
  expect(transmits(obey(flying, command('flight_mode', { state: 'off' }), at).duty, at)).toBe(true)
})

test('a scheduled flight is silent between its times only', () => {
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
  const value = { state: 'on', from: iso(at + 100), until: iso(at + 200) }
  const { duty } = obey(freshDuty(300), command('flight_mode', value), at)
  expect([at, at + 150, at + 200].map((t) => transmits(duty, t))).toEqual([true, false, true])
})

test('a command that comes again is carried out once and answered again', () => {
  const orders = ordersOf(freshDuty(300), [])
  expect(orders.take(command('interval', { intervalS: 600 }), at)).toBe(true)
  orders.sent(1)
  expect(orders.take({ ...command('interval', { intervalS: 900 }), commandId: '8' }, at)).toBe(true)
  expect(orders.take(command('interval', { intervalS: 600 }), at + 60)).toBe(false)
  expect(orders.duty().intervalS).toBe(900)
  orders.repeat()
  expect(orders.due().map((ack) => ack.commandId)).toEqual(['8', '7'])
})
