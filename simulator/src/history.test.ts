import { afterEach, expect, test } from 'vitest'
import { fleet } from './fleet.ts'
import { type HistoryProgress, loadHistory } from './history.ts'
import { openPeer, type Peer } from './test/peer.ts'

const secretOf = (imei: string) => `secret of ${imei}`
const to = new Date('2026-11-04T12:00:00Z')
const from = new Date('2026-11-03T00:00:00Z')
const trackers = fleet('demo').slice(0, 4)
let peer: Peer

afterEach(() => peer.close())

test('history arrives through HTTP ingest in order, at most 500 readings a request, whatever the server is busy with', async () => {
  peer = await openPeer(secretOf)
  peer.busyFor(7)
  const seen: HistoryProgress[] = []
  const done = await loadHistory({
    baseUrl: peer.baseUrl,
    secretOf,
    from,
    to,
    fleet: trackers,
    onProgress: (progress) => seen.push(progress),
  })
  expect(Math.max(...peer.received.map(({ readings }) => readings.length))).toBeLessThanOrEqual(500)
  expect(done.readings).toBe(peer.received.reduce((sum, { readings }) => sum + readings.length, 0))
  expect(done.share).toBeCloseTo(1, 6)
  expect(seen.map(({ share }) => share)).toEqual(seen.map(({ share }) => share).sort((a, b) => a - b))
  for (const { imei } of trackers) {
    const times = peer.received
      .filter((entry) => entry.imei === imei)
      .flatMap(({ readings }) => readings.map((r) => r.at))
    expect(times.length).toBeGreaterThan(200)
    expect(times).toEqual([...times].sort())
    expect(times[0]! > from.toISOString() && times.at(-1)! <= to.toISOString()).toBe(true)
  }
})

test('a refused secret stops the load with the reason', async () => {
  peer = await openPeer(() => 'another')
  await expect(loadHistory({ baseUrl: peer.baseUrl, secretOf, from, to, fleet: trackers })).rejects.toThrow('HTTP 401')
})

test('a signal stops the load', async () => {
  peer = await openPeer(secretOf)
  const stop = new AbortController()
  const load = loadHistory({
    baseUrl: peer.baseUrl,
    secretOf,
    from,
    to,
    fleet: trackers,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  })
  await expect(load).rejects.toThrow()
})
