import { describe, expect, test } from 'vitest'
import {
  at,
  changed,
  day,
  device,
  document,
  event,
  journey,
  listOf,
  shipped,
  sscc,
  whole,
} from '../../../test/epcis-shipment.ts'
import { epcisSchemas, epcisValidator } from '../../../test/epcis-validator.ts'
import type { EpcisEvent } from './events.ts'
import { faultsOf } from './faults.ts'
import type { Shipped } from './shipped.ts'
import { stretchesOf } from './stretches.ts'
import { briefOf, heldEvents, withdrawnEvents } from './withdrawn.ts'

const timesOf = (list: readonly EpcisEvent[], ...steps: string[]) =>
  list.filter(({ bizStep }) => steps.includes(bizStep)).map(({ bizStep, eventTime }) => [bizStep, eventTime])
const start = '2026-06-01T06:00:00.000Z'
const stuffed = '2026-06-02T05:20:00.000Z'

test('a device that was there from the start is installed as the goods are stuffed; pallets are made and packed by then', () => {
  expect(timesOf(listOf(whole), 'commissioning', 'packing', 'installing')).toEqual([
    ['commissioning', start],
    ['packing', start],
    ['installing', stuffed],
    ['installing', stuffed],
  ])
  const early = [event('1', 'stuffed', '2026-05-31T05:20:00Z')]
  expect(timesOf(listOf({ ...whole, events: early }), 'commissioning', 'packing', 'installing')).toEqual(
    ['commissioning', 'packing', 'installing', 'installing'].map((step) => [step, '2026-05-31T05:20:00.000Z']),
  )
})

test('an edit weeks before the start puts no device into the goods, and neither does a stuffing that was withdrawn', () => {
  const added = event('0', 'deviceAdded', '2026-05-01T00:00:00Z', { legId: null, deviceId: 5 })
  expect(timesOf(listOf({ ...whole, events: [added, ...journey] }), 'installing')).toEqual(
    timesOf(listOf(whole), 'installing'),
  )
  const gone = [...journey, event('9', 'milestoneWithdrawn', stuffed, { corrects: '1' })]
  expect(timesOf(listOf({ ...whole, events: gone }), 'installing')).toEqual([5, 6].map(() => ['installing', start]))
  const moved = [...journey, event('9', 'stuffed', '2026-06-02T07:00:00Z', { corrects: '1' })]
  expect(timesOf(listOf({ ...whole, events: moved }), 'installing')[0]?.[1]).toBe('2026-06-02T07:00:00.000Z')
  const pending = { startedAt: null, endedAt: null, verdict: null, events: [added] }
  expect(listOf(pending)).toEqual([])
})

const second = '160012345000000022'
const joining: Partial<Shipped> = {
  devices: [
    device(5, { sscc, leftAt: at('2026-06-20T04:00:00Z') }),
    device(6, { sscc: second, joinedAt: at('2026-06-01T09:00:00Z') }),
    device(7, { joinedAt: at('2026-06-10T09:00:00Z'), leftAt: at('2026-06-12T09:00:00Z') }),
  ],
  pallets: [sscc, second],
}

test('a device is installed as it joins, and removed from the same thing as it is taken off', () => {
  const list = listOf({ ...whole, ...joining })
  const associations = list.filter(({ type }) => type === 'AssociationEvent')
  expect(
    associations.map(({ bizStep, action, eventTime, parentID, childEPCs }) => [
      ...[bizStep, action, eventTime.slice(0, 13), parentID, childEPCs],
    ]),
  ).toEqual(
    (
      [
        ['installing', 'ADD', '2026-06-01T09', `pallet/${second}`, 6],
        ['installing', 'ADD', '2026-06-02T05', `pallet/${sscc}`, 5],
        ['installing', 'ADD', '2026-06-10T09', null, 7],
        ['removing', 'DELETE', '2026-06-12T09', null, 7],
        ['removing', 'DELETE', '2026-06-20T04', `pallet/${sscc}`, 5],
      ] as const
    ).map(([step, action, time, parent, id]) => [
      ...[step, action, time],
      parent ? `https://cold.example/id/${parent}` : 'urn:epc:id:bic:CSQU3054383',
      [`https://cold.example/id/device/${id}`],
    ]),
  )
  // The pallet of a device that joined before the stuffing was made and packed before it.
  const made = timesOf(list, 'commissioning', 'packing')
  expect(new Set(made.map(([, time]) => time))).toEqual(new Set([start]))
  expect(faultsOf(document({ ...whole, ...joining }))).toEqual([])
})

test('a device that was taken off before the stuffing was there from the start', () => {
  const devices = [device(5, { leftAt: at('2026-06-01T20:00:00Z') })]
  expect(timesOf(listOf({ ...whole, devices }), 'installing', 'removing')).toEqual([
    ['installing', start],
    ['removing', '2026-06-01T20:00:00.000Z'],
  ])
})

test('an end that was told late leaves out who joined or was taken off after it', () => {
  const endedAt = at('2026-06-27T00:00:00Z')
  const after = at('2026-06-28T00:00:00Z')
  const devices = [device(5, { leftAt: after }), device(6, { joinedAt: after }), device(7, { leftAt: endedAt })]
  const told = listOf({ ...whole, devices, endedAt }).filter(({ type }) => type === 'AssociationEvent')
  expect(told.map(({ bizStep, childEPCs }) => [bizStep, childEPCs])).toEqual([
    ['installing', ['https://cold.example/id/device/5']],
    ['installing', ['https://cold.example/id/device/7']],
    ['removing', ['https://cold.example/id/device/7']],
  ])
})

const [sea] = shipped().legs
if (!sea) throw new Error('no leg')
const truck = { ...sea, id: '2', mode: 'rail' as const, atd: at('2026-06-25T12:00:00Z') }
const noted = (more: Partial<Shipped> = {}) =>
  stretchesOf({ ...shipped({ events: journey, legs: [sea, truck], ...more }) }, at('2026-07-01T00:00:00Z')).map(
    ({ legId, isMoving, from, to }) => [legId, isMoving ? 'moves' : 'stands', from.toISOString(), to.toISOString()],
  )

test('goods move from a departure to the arrival, and stand before, between and after', () => {
  const endedAt = at('2026-06-27T00:00:00Z')
  const [sailed, landed, left, ended] = [
    ...['2026-06-03T16:00:00.000Z', '2026-06-24T08:00:00.000Z', '2026-06-25T12:00:00.000Z'],
    endedAt.toISOString(),
  ] as const
  const events = [...journey, event('8', 'departed', left, { legId: '2' })]
  expect(noted({ endedAt, events })).toEqual([
    ['1', 'stands', start, sailed],
    ['1', 'moves', sailed, landed],
    ['1', 'stands', landed, left],
    ['2', 'moves', left, ended],
  ])
  // A withdrawn arrival ends no voyage: the discharging does.
  const gone = [...events, event('9', 'milestoneWithdrawn', landed, { corrects: '5' })]
  expect(noted({ endedAt, events: gone })[1]).toEqual(['1', 'moves', sailed, '2026-06-25T07:00:00.000Z'])
  // The ship that the goods missed moves nothing.
  const missed = [event('1', 'departed', '2026-06-02T00:00:00Z', { legId: '77' })]
  expect(noted({ endedAt, events: missed }).map(([, how]) => how)).toEqual(['stands', 'stands'])
})

test('a lorry from the farm moves the goods until the gate of the terminal', () => {
  const events = [
    event('1', 'departed', '2026-06-01T08:00:00Z', { legId: null }),
    event('2', 'gateIn', '2026-06-01T12:00:00Z'),
  ]
  expect(noted({ events, legs: [sea] }).map(([, how, from]) => [how, from])).toEqual([
    ['stands', start],
    ['moves', '2026-06-01T08:00:00.000Z'],
    ['stands', '2026-06-01T12:00:00.000Z'],
  ])
})

const conditions = (list: readonly EpcisEvent[]) =>
  list
    .filter(({ bizStep }) => ['storing', 'transporting'].includes(bizStep))
    .map(({ bizStep, disposition }) => [bizStep, disposition])
const standing = { ...day('2026-06-02'), stretch: 1, isMoving: false }
const byLorry = { ...day('2026-06-02'), stretch: 2, to: at('2026-06-02T12:00:00Z') }

test('conditions say whether the goods stood or were on their way, also where both is on one day', () => {
  const list = listOf({ ...whole, days: [standing, byLorry] })
  expect(conditions(list)).toEqual([
    ['transporting', 'in_transit'],
    ['storing', 'in_progress'],
  ])
})

/** The events that a push withdraws after one that was accepted, with the number of those that take the place of each. */
function replaced(before: Partial<Shipped>, after: Partial<Shipped>) {
  const eventList = document(before).epcisBody.eventList
  const held = heldEvents([{ eventList, parts: [{ from: 0, upTo: eventList.length, outcome: 'accepted' }] }])
  return withdrawnEvents(held, document(after), changed).map(({ bizStep, errorDeclaration }) => [
    bizStep,
    (errorDeclaration as { correctiveEventIDs?: string[] }).correctiveEventIDs?.length ?? 0,
  ])
}

test('what an earlier document told wrongly is withdrawn, and names what takes its place', () => {
  const told = { ...whole, verdict: null, days: [{ ...standing, isMoving: true }] }
  expect(replaced(told, { ...told, days: [standing] })).toEqual([['transporting', 1]])
  expect(replaced({ ...told, events: [] }, { ...told, events: journey.slice(0, 1) })).toEqual([
    ['installing', 1],
    ['installing', 1],
  ])
  expect(replaced({ ...told, startedAt: at('2026-05-20T00:00:00Z') }, told)).toEqual([
    ['commissioning', 1],
    ['packing', 1],
  ])
})

describe.each(epcisSchemas)('the schema of EPCIS 2.0 in %s', (path) => {
  const faults = epcisValidator(path)

  test('takes devices that join and leave, and goods that stand', () => {
    for (const one of [document({ ...whole, ...joining }), document({ ...whole, days: [standing, byLorry] })])
      expect(faults(one)).toEqual([])
  })
  test('takes an error declaration of an event in brief', () => {
    const told = document({ ...whole, ...joining, days: [standing, byLorry] })
    const errorDeclaration = { declarationTime: changed.toISOString(), reason: 'incorrect_data' }
    const eventList = told.epcisBody.eventList.map((one) => ({ ...briefOf(one), errorDeclaration }))
    expect(eventList.length).toBeGreaterThan(10)
    expect(eventList.some((one) => 'sensorElementList' in one)).toBe(false)
    const brief = { ...told, epcisBody: { eventList } }
    expect([faults(brief), faultsOf(brief)]).toEqual([[], []])
  })
})
