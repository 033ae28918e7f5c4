import { pushErrors } from '@isotherm/contract/epcis.ts'
import { type CaptureServer, openCapture } from '@isotherm/simulator/epcis/capture.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askOutcome, deliver, type Receiver, reasonIn } from './deliver.ts'

let capture: CaptureServer
let receiver: Receiver
beforeEach(async () => {
  capture = await openCapture()
  receiver = {
    url: capture.url,
    credentials: { 'api-key': 'secret' },
    allowPrivate: true,
    timeoutMs: 30_000,
    turnMs: 60_000,
  }
})
afterEach(() => capture.close())

const document = (events: number) => ({
  type: 'EPCISDocument',
  epcisBody: { eventList: Array.from({ length: events }, (_, n) => ({ eventID: `urn:uuid:${n}` })) },
})
const takenIds = () => capture.taken.flatMap(({ epcisBody }) => epcisBody.eventList.map(({ eventID }) => eventID))
const ids = (events: number) => document(events).epcisBody.eventList.map(({ eventID }) => eventID)

test('a document is taken, with our credentials, and its outcome is asked for', async () => {
  const sent = await deliver(receiver, document(3), [])
  expect(sent).toMatchObject({ outcome: 'sent', status: 202, taken: [{ upTo: 3 }] })
  expect(capture.posted[0]).toMatchObject({
    ...{ 'api-key': 'secret', 'gs1-epcis-version': '2.0.0', 'gs1-cbv-version': '2.0.0' },
    ...{ 'gs1-capture-error-behaviour': 'rollback', 'content-type': 'application/ld+json' },
  })
  expect((await askOutcome(receiver, sent.taken)).outcome).toBe('accepted')
})

test('a receiver that works slowly is asked again', async () => {
  capture.mode = 'slow'
  const { taken } = await deliver(receiver, document(1), [])
  const outcomes = []
  for (let n = 0; n < 3; n++) outcomes.push((await askOutcome(receiver, taken)).outcome)
  expect(outcomes).toEqual(['later', 'later', 'accepted'])
})

test('what the receiver finds wrong afterwards is told', async () => {
  capture.mode = 'finds'
  const { taken } = await deliver(receiver, document(1), [])
  expect(await askOutcome(receiver, taken)).toMatchObject({ outcome: 'refused', error: 'Unknown SSCC' })
})

test('the limits of a receiver split a document; every event comes once', async () => {
  capture.limit = 4
  expect((await deliver(receiver, document(10), [])).taken.map(({ upTo }) => upTo)).toEqual([4, 8, 10])
  expect(takenIds()).toEqual(ids(10))
})

test('the limit of bytes that a receiver names is kept to: it refuses no part', async () => {
  capture.bytes = 200
  expect((await deliver(receiver, document(20), [])).outcome).toBe('sent')
  expect(takenIds()).toEqual(ids(20))
  expect(capture.taken.length).toBe(capture.posted.length)
  expect(capture.taken.length).toBeGreaterThan(1)
})

test('of a receiver that takes little at once, an attempt sends for its time and goes on in the next one', async () => {
  capture.limit = 4
  const hasty = { ...receiver, turnMs: 0 }
  const first = await deliver(hasty, document(10), [])
  expect(first).toMatchObject({ outcome: 'later', isCut: true, error: null, taken: [{ upTo: 4 }] })
  const second = await deliver(hasty, document(10), first.taken)
  const third = await deliver(hasty, document(10), second.taken)
  expect(third).toMatchObject({ outcome: 'sent', isCut: false })
  expect(takenIds()).toEqual(ids(10))
  const asked = await askOutcome(hasty, third.taken)
  expect(asked).toMatchObject({ outcome: 'later', isCut: true })
  const again = await askOutcome(hasty, asked.taken)
  expect(await askOutcome(hasty, again.taken)).toMatchObject({ outcome: 'accepted', isCut: false })
  expect(capture.asked).toEqual(['/capture/1', '/capture/2', '/capture/3'])
})

test('an attempt that came no further is a failed one, however long it took', async () => {
  capture.mode = 'fails'
  const hasty = { ...receiver, turnMs: 0 }
  expect(await deliver(hasty, document(3), [])).toMatchObject({ outcome: 'later', isCut: false, status: 500 })
  capture.mode = 'good'
  const { taken } = await deliver({ ...hasty, turnMs: 60_000 }, document(3), [])
  capture.mode = 'slow'
  expect(await askOutcome(hasty, taken)).toMatchObject({ outcome: 'later', isCut: false })
})

test('a part that is too large is halved', async () => {
  capture.mode = 'tooLarge'
  expect((await deliver(receiver, document(7), [])).outcome).toBe('sent')
  expect(takenIds()).toEqual(ids(7))
})

test('one event that is too large is refused for good', async () => {
  capture.mode = 'tooLarge'
  capture.limit = 0
  expect(await deliver(receiver, document(1), [])).toMatchObject({ outcome: 'refused', status: 413 })
})

test.each([
  ['refuses', { outcome: 'refused', status: 400, error: '400 Not valid: eventTime' }],
  ['unknownUs', { outcome: 'refused', status: 401 }],
  ['redirects', { outcome: 'refused', status: 302 }],
  ['fails', { outcome: 'later', status: 500 }],
] as const)('a receiver that %s', async (mode, answer) => {
  capture.mode = mode
  expect(await deliver(receiver, document(1), [])).toMatchObject(answer)
})

test.each(['http://receiver.test/capture', 'https://127.0.0.1/capture'])(
  'why %s is not asked is one of the words that screens know',
  async (url) => {
    const { outcome, error } = await deliver({ ...receiver, url, allowPrivate: false }, document(1), [])
    expect(outcome).toBe('refused')
    expect(Object.values(pushErrors)).toContain(error)
  },
)

test('a receiver that never answers is tried again later', async () => {
  capture.mode = 'hangs'
  expect(await deliver({ ...receiver, timeoutMs: 200 }, document(1), [])).toMatchObject({
    ...{ outcome: 'later', status: null, error: 'no answer' },
  })
})

test('each part is told apart: one that is there, one that perhaps is, one that is not', async () => {
  capture.limit = 2
  const partsOf = async (next: CaptureServer['next']) => {
    capture.next = next
    const { parts } = await deliver(
      { ...receiver, ...(next.includes('hangs') && { timeoutMs: 3_000 }) },
      document(4),
      [],
    )
    return parts.map(({ from, upTo, outcome, location }) => [from, upTo, outcome, location !== ''])
  }
  const first = [0, 2, 'unknown', true]
  expect(await partsOf(['good', 'good'])).toEqual([first, [2, 4, 'unknown', true]])
  for (const mode of ['fails', 'hangs', 'drops'] as const)
    expect(await partsOf(['good', mode]), mode).toEqual([first, [2, 4, 'unknown', false]])
  for (const mode of ['refuses', 'unknownUs', 'redirects'] as const)
    expect(await partsOf(['good', mode]), mode).toEqual([first])
  const { parts } = await deliver({ ...receiver, url: 'http://127.0.0.1:1/capture' }, document(4), [])
  expect(parts).toEqual([])
})

test('each part is asked for, also after one that the receiver did not take', async () => {
  capture.limit = 2
  const { taken } = await deliver(receiver, document(4), [])
  const outcomes = async () => (await askOutcome(receiver, taken)).parts.map(({ outcome }) => outcome)
  expect(await outcomes()).toEqual(['accepted', 'accepted'])
  capture.mode = 'finds'
  expect(await outcomes()).toEqual(['refused', 'refused'])
  capture.mode = 'slow'
  const slow = await deliver(receiver, document(2), [])
  expect((await askOutcome(receiver, slow.taken)).parts).toEqual([])
})

test('an attempt goes on where the one before stopped', async () => {
  capture.limit = 2
  await deliver(receiver, document(6), [{ upTo: 4, location: '' }])
  expect(takenIds()).toEqual(ids(6).slice(4))
})

test('an address within our own net is refused, and nothing is sent', async () => {
  const outside = { ...receiver, allowPrivate: false }
  expect((await deliver(outside, document(1), [])).outcome).toBe('refused')
  expect([capture.posted, capture.taken]).toEqual([[], []])
})

test('an outcome elsewhere is not asked for: our credentials stay where they belong', async () => {
  const elsewhere = await openCapture()
  capture.locationBase = new URL(elsewhere.url).origin
  expect(await deliver(receiver, document(1), [])).toMatchObject({ outcome: 'accepted', taken: [{ location: '' }] })
  expect(elsewhere.asked).toEqual([])
  await elsewhere.close()
})

test.each([
  ['{"title":"A","detail":"b\\u0000c"}', 'A: b c'],
  ['<html>', '<html>'],
  ['x'.repeat(1_000), 'x'.repeat(300)],
])('an answer is told in a line', (text, line) => {
  expect(reasonIn(text)).toBe(line)
})
