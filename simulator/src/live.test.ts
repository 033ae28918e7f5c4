import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fleet } from './fleet.ts'
import { historyOf } from './history.ts'
import { type Link, linkOf } from './link.ts'
import { type LiveOptions, runLive } from './live.ts'
import { timelineOf } from './physics/timeline.ts'
import type { Ack, Reading } from './protocol/wire.ts'
import { readingsAt, sampleTimes } from './sampling.ts'
import type { TrackerSpec } from './spec.ts'
import { openPeer, type Peer, type Received } from './test/peer.ts'

const secretOf = (imei: string) => `secret of ${imei}`
const named = (part: string) => fleet('demo').find((spec) => spec.name.includes(part))!
const byMqtt = named('Ikeja')
const byHttp = named('Yaba')
let peer: Peer
let stop: AbortController

beforeEach(async () => {
  peer = await openPeer(secretOf)
  stop = new AbortController()
})

afterEach(async () => {
  stop.abort()
  await peer.close()
})

function live(trackers: TrackerSpec[], options: Partial<LiveOptions>): Promise<void> {
  return runLive({
    baseUrl: peer.baseUrl,
    mqttUrl: peer.mqttUrl,
    secretOf,
    fleet: trackers,
    signal: stop.signal,
    // Six hours and a bit of the trackers' time in a second of ours.
    timeScale: 24_000,
    ...options,
  })
}

const of = (imei: string, received: readonly Received[] = peer.received): Reading[] =>
  received.filter((entry) => entry.imei === imei).flatMap(({ readings }) => readings)

/** A tracker's answer to a command, once it has answered. */
async function answerTo(commandId: string): Promise<Ack> {
  const answers = () => peer.received.flatMap(({ acks }) => acks).filter((ack) => ack.commandId === commandId)
  await peer.until(() => answers().length > 0)
  return answers()[0]!
}

/** An hour of a working day in which a tracker has a network all the time. */
function connectedHour(spec: TrackerSpec, hours: number): Date {
  const link = linkOf(spec)
  for (let at = Date.UTC(2026, 10, 3) / 1000; ; at += 3600) {
    if (Array.from({ length: hours * 12 }, (_, i) => at + i * 300).every((t) => !link.outageAt(t)))
      return new Date(at * 1000)
  }
}

/** A moment well within a time without network of at least half an hour. */
function middleOfOutage(link: Link): number {
  for (let at = Date.UTC(2026, 10, 1) / 1000; ; at += 600) {
    const outage = link.outageAt(at)
    if (outage && outage.to - outage.from > 1800) return (outage.from + outage.to) / 2
  }
}

function measured(spec: TrackerSpec, from: Date, until: Date): string[] {
  const timeline = timelineOf(spec)
  const [after, to] = [from.getTime() / 1000, until.getTime() / 1000]
  return sampleTimes(spec, timeline, after, to, spec.intervalS)
    .flatMap((at) => readingsAt(spec, timeline, at, spec.intervalS))
    .map((reading) => JSON.stringify(reading))
}

const distinct = (readings: readonly Reading[]) => [...new Set(readings.map((reading) => JSON.stringify(reading)))]

test('each tracker reports over its own protocol, with its own secret, in order', async () => {
  const startAt = connectedHour(byMqtt, 3)
  const running = live([byMqtt, byHttp], { startAt, since: startAt })
  await peer.until(() => of(byMqtt.imei).length >= 12 && of(byHttp.imei).length >= 12)
  stop.abort()
  await running
  for (const spec of [byMqtt, byHttp]) {
    // One whose answer was lost is sent once more.
    const times = [...new Set(of(spec.imei).map((reading) => reading.at))]
    expect(times).toEqual([...times].sort())
    expect(new Set(peer.received.filter(({ imei }) => imei === spec.imei).map(({ by }) => by))).toEqual(
      new Set([spec.link]),
    )
  }
  await peer.abandoned()
})

test('history and live join without a gap or a difference, also across a time without network', async () => {
  const spec = byHttp
  const link = linkOf(spec)
  const at = middleOfOutage(link)
  // History ends in the middle of an outage; the tracker still holds what it measured since the outage began.
  const join = new Date(at * 1000)
  const from = new Date((at - 6 * 3600) * 1000)
  const loaded = [...historyOf(spec, from, join)].flatMap((day) => day.readings)
  const running = live([spec], { startAt: join, since: join })
  await peer.until(() => of(spec.imei).some((reading) => Date.parse(reading.at) > (at + 4 * 3600) * 1000))
  stop.abort()
  await running
  const all = distinct([...loaded, ...of(spec.imei)])
  expect(measured(spec, from, join).length).toBeGreaterThan(distinct(loaded).length)
  expect(all).toEqual(measured(spec, from, new Date(JSON.parse(all.at(-1)!).at)))
})

test('over MQTT it stops on pause, answers, and sends nothing until started again', async () => {
  const startAt = connectedHour(byMqtt, 8)
  const running = live([byMqtt, byHttp], { startAt, since: startAt, timeScale: 6000 })
  await peer.until(() => of(byMqtt.imei).length >= 2)
  peer.order(byMqtt.imei, { commandId: '11', kind: 'transmission', value: { state: 'paused' } })
  const paused = await answerTo('11')
  // Long enough that another one has measured several times.
  const others = of(byHttp.imei).length
  await peer.until(() => of(byHttp.imei).length > others + 5)
  peer.order(byMqtt.imei, { commandId: '12', kind: 'transmission', value: { state: 'started' } })
  const started = await answerTo('12')
  const sent = of(byMqtt.imei).length
  await peer.until(() => of(byMqtt.imei).length > sent + 2)
  const between = of(byMqtt.imei).filter(({ at }) => at > paused.at && at < started.at)
  expect(between).toEqual([])
  expect(of(byHttp.imei).some(({ at }) => at > paused.at && at < started.at)).toBe(true)
  expect(peer.received.flatMap(({ acks }) => acks).every((ack) => ack.ok && !Number.isNaN(Date.parse(ack.at)))).toBe(
    true,
  )
  stop.abort()
  await running
})

test('over HTTP it takes a new interval from the answer to a post and says so in its next post', async () => {
  const startAt = connectedHour(byHttp, 12)
  peer.order(byHttp.imei, { commandId: '21', kind: 'interval', value: { intervalS: 900 } })
  const running = live([byHttp], { startAt, since: startAt })
  await peer.until((received) => received.some(({ acks }) => acks.some((ack) => ack.commandId === '21' && ack.ok)))
  const before = of(byHttp.imei).length
  await peer.until(() => of(byHttp.imei).length >= before + 6)
  stop.abort()
  await running
  const times = of(byHttp.imei)
    .slice(before + 1)
    .map((reading) => Date.parse(reading.at) / 1000)
  for (const [index, time] of times.slice(1).entries()) expect(time - times[index]!).toBe(900)
})

test('in flight mode it keeps its readings and sends them, in order and complete, after landing', async () => {
  const startAt = connectedHour(byHttp, 12)
  const [takeOff, landing] = [startAt.getTime() + 3600_000, startAt.getTime() + 3 * 3600_000]
  const value = { state: 'on', from: new Date(takeOff).toISOString(), until: new Date(landing).toISOString() }
  peer.order(byHttp.imei, { commandId: '31', kind: 'flight_mode', value })
  const running = live([byHttp], { startAt, since: startAt })
  await peer.until(() => of(byHttp.imei).some((reading) => Date.parse(reading.at) > landing))
  stop.abort()
  await running
  const first = peer.received.findIndex(({ readings }) => readings.some((reading) => Date.parse(reading.at) > takeOff))
  // Those of two hours together, not one by one.
  expect(peer.received[first]!.readings.length).toBeGreaterThan(10)
  const all = distinct(of(byHttp.imei))
  expect(all).toEqual(measured(byHttp, startAt, new Date(JSON.parse(all.at(-1)!).at)))
})

test('switched off over HTTP it goes on asking for commands, and comes back when told to', async () => {
  const startAt = connectedHour(byHttp, 12)
  peer.order(byHttp.imei, { commandId: '41', kind: 'power', value: { state: 'off' } })
  const running = live([byHttp], { startAt, since: startAt })
  await peer.until((received) => received.filter(({ readings }) => readings.length === 0).length >= 3)
  const sent = of(byHttp.imei).length
  peer.order(byHttp.imei, { commandId: '42', kind: 'power', value: { state: 'on' } })
  await peer.until(() => of(byHttp.imei).length >= sent + 2)
  stop.abort()
  await running
})

test('a restart goes on where the tracker stopped, with the settings it had', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-live-'))
  const memoryFile = join(folder, 'memory.json')
  const startAt = connectedHour(byMqtt, 12)
  const running = live([byMqtt], { startAt, since: startAt, memoryFile })
  await peer.until(() => of(byMqtt.imei).length >= 5)
  stop.abort()
  await running
  const before = of(byMqtt.imei)
  const last = new Date(before.at(-1)!.at)
  stop = new AbortController()
  const again = live([byMqtt], { startAt: new Date(last.getTime() + 2 * 3600_000), memoryFile, signal: stop.signal })
  await peer.until(() => of(byMqtt.imei).length >= before.length + 30)
  stop.abort()
  await again
  rmSync(folder, { recursive: true })
  const all = distinct(of(byMqtt.imei))
  expect(all).toEqual(measured(byMqtt, startAt, new Date(JSON.parse(all.at(-1)!).at)))
})
