import { expect, test } from 'vitest'
import type { Waiting } from './store.ts'
import { buildPage as page, buildStop as stop } from './test/build-page.ts'
import { nextOf, withWaiting } from './with-waiting.ts'

const act = (kind: 'start' | 'arrive' | 'depart' | 'end', place: number | null, code = 'AAAA-BBBB-C'): Waiting => ({
  ...{ what: 'act', code, token: 'x', at: '2026-11-23T09:00:00.000Z' },
  act: { kind, stop: place, requestId: 'x' },
})
const handOver = (place: number): Waiting => ({
  ...{ what: 'handOver', code: 'AAAA-BBBB-C', token: 'x', at: '2026-11-23T09:05:00.000Z', stop: place },
  filled: { facts: { outcome: 'delivered', at: '', requestId: '' }, signature: null, photos: [] },
})

test('the next thing follows from what was done, also from what was not sent yet', () => {
  const after = (...waiting: Waiting[]) => {
    const { what, stop: at } = nextOf(withWaiting(page({ state: 'new' }), waiting))
    return [what, at?.stop ?? null]
  }
  const day = [act('start', null), act('arrive', 1), handOver(1), act('depart', 1), act('arrive', 2), handOver(2)]
  const next = day.map((_, count) => after(...day.slice(0, count)))
  expect([...next, after(...day), after(...day, act('end', null))]).toEqual([
    ...[
      ['start', null],
      ['arrive', 1],
      ['handOver', 1],
      ['depart', 1],
      ['arrive', 2],
      ['handOver', 2],
    ],
    ...[
      ['end', null],
      ['nothing', null],
    ],
  ])
})

test('what waits for another order changes nothing here', () => {
  expect(withWaiting(page(), [act('arrive', 1, 'DDDD-EEEE-F')])).toEqual(page())
})

test('a stop that is postponed is skipped, and the order does not end without it', () => {
  const postponed = stop(1, { postponedUntil: '2026-11-24T08:00:00.000Z' })
  expect(nextOf(page({ stops: [postponed, stop(2)] }))).toMatchObject({ what: 'arrive', stop: { stop: 2 } })
  const served = stop(2, { settledAt: '2026-11-23T09:00:00.000Z', state: 'delivered' })
  expect(nextOf(page({ stops: [postponed, served] }))).toMatchObject({ what: 'nothing' })
})
