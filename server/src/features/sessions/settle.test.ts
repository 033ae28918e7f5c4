import { expect, test } from 'vitest'
import { type Cut, endByItself, type Stored, type Stretch, segmentsOf, settle, silenceHours } from './settle.ts'

const hour = 3_600_000
const h = (hours: number) => hours * hour
const present = { now: h(100), since: 0, hours: 6, inFlight: false }
const stretch = (first: number, last: number, cut: Cut | null = null): Stretch => ({
  from: Math.floor(first / hour) * hour,
  to: cut?.at ?? Math.floor(last / hour) * hour + hour,
  cut,
  first,
  last,
})
const stored = (id: string, startedAt: number, endedAt: number | null, endedBy: string | null = null): Stored => ({
  id,
  startedAt,
  endedAt,
  endedBy: endedBy ?? (endedAt === null ? null : 'silence'),
})

test('silence is six hours, or six intervals of a device that measures rarely', () => {
  expect(silenceHours(180)).toBe(6)
  expect(silenceHours(3_600)).toBe(6)
  expect(silenceHours(86_400)).toBe(144)
})

test('a stretch of readings is a session: open while the device is heard, ended with its last reading by silence', () => {
  const { insert } = settle([], [stretch(h(1), h(5)), stretch(h(90), h(97.5))], present)
  expect(insert).toEqual([
    { startedAt: h(1), endedAt: h(5), endedBy: 'silence' },
    { startedAt: h(90), endedAt: null, endedBy: null },
  ])
})

test('six whole hours without a reading end it, not one minute less; in flight mode none do', () => {
  const last = h(93.99)
  const at = (now: number, inFlight = false) =>
    settle([], [stretch(h(90), last)], { ...present, now, inFlight }).insert[0]?.endedAt
  expect(at(h(99.99))).toBeNull()
  expect(at(h(100))).toBe(last)
  expect(at(h(300), true)).toBeNull()
})

test('power off cuts an island in two, also when the answer comes after the last reading', () => {
  const cut: Cut = { at: h(10.3), by: 'power' }
  expect(segmentsOf([{ from: h(8), to: h(13) }], [cut], 6)).toEqual([
    { from: h(8), to: h(10.3) + 1, cut },
    { from: h(10.3) + 1, to: h(13), cut: null },
  ])
  expect(segmentsOf([{ from: h(8), to: h(10) }], [cut], 6)).toEqual([{ from: h(8), to: h(10.3) + 1, cut }])
  expect(segmentsOf([{ from: h(20), to: h(21) }], [cut], 6)).toEqual([{ from: h(20), to: h(21), cut: null }])
})

test('what is known already is not written again', () => {
  const known = [stored('1', h(1), h(5)), stored('2', h(90), null)]
  expect(settle(known, [stretch(h(1), h(5)), stretch(h(90), h(97))], present)).toMatchObject({
    insert: [],
    update: [],
    remove: [],
  })
})

test('late readings lengthen a session at either end, and join two', () => {
  const longer = settle([stored('1', h(40), h(45))], [stretch(h(38), h(47))], present)
  expect(longer).toMatchObject({ insert: [], update: [{ id: '1', startedAt: h(38), endedAt: h(47) }], remove: [] })
  const two = [stored('1', h(10), h(15)), stored('2', h(25), h(30))]
  const joined = settle(two, [stretch(h(10), h(30))], present)
  expect(joined).toMatchObject({ insert: [], update: [{ id: '1', startedAt: h(10), endedAt: h(30) }], remove: ['2'] })
})

test('an open session becomes the part before the cut; what follows is a new one', () => {
  const cut: Cut = { at: h(95), by: 'power' }
  const { insert, update } = settle(
    [stored('1', h(90), null)],
    [stretch(h(90), h(94), cut), stretch(h(96), h(99))],
    present,
  )
  expect(update).toEqual([{ id: '1', startedAt: h(90), endedAt: h(95), endedBy: 'power' }])
  expect(insert).toEqual([{ startedAt: h(96), endedAt: null, endedBy: null }])
})

test('what began before the time looked at keeps its begin', () => {
  const { update, insert } = settle([stored('1', h(2), null)], [stretch(h(50), h(60))], { ...present, since: h(50) })
  expect([insert, update]).toEqual([[], [{ id: '1', startedAt: h(2), endedAt: h(60), endedBy: 'silence' }]])
})

test('an open session without readings in the time looked at ends by power, or by silence since its last reading', () => {
  const open = stored('1', h(2), null)
  expect(settle([open], [], present).left).toEqual([open])
  expect(endByItself(open, [], h(20), present)).toMatchObject({ endedAt: h(20), endedBy: 'silence' })
  expect(endByItself(open, [h(1), h(30)], h(20), present)).toMatchObject({ endedAt: h(30), endedBy: 'power' })
  expect(endByItself(open, [], h(20), { ...present, inFlight: true })).toBeNull()
  expect(endByItself(open, [], h(96), present)).toBeNull()
})
