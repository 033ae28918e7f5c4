import { milestoneKinds } from '@isotherm/contract/shipments.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharesOf } from './custody.ts'
import { type CustodyLeg, type CustodyMilestone, custodyOfShipment, type ShipmentJourney } from './shipment-custody.ts'

const hour = 3_600_000
const road: CustodyLeg = { id: '1', mode: 'road', carrier: 'Cape Haulage', fromName: 'Citrusdal', toName: 'Cape Town' }
const sea: CustodyLeg = { id: '2', mode: 'sea', carrier: 'Northern Line', fromName: 'Cape Town', toName: 'Rotterdam' }
const onward: CustodyLeg = { id: '3', mode: 'road', carrier: null, fromName: 'Rotterdam', toName: 'Barendrecht' }

const at = (hours: number, kind: CustodyMilestone['kind'], legId: string | null = null, placeName?: string) => ({
  ...{ kind, at: hours * hour, legId, placeName: placeName ?? null },
})
const journeyOf = (legs: CustodyLeg[], milestones: CustodyMilestone[]): ShipmentJourney => ({
  ...{ from: 0, to: 100 * hour, origin: 'Pack house', consignee: 'Importer', legs, milestones },
})
const told = (legs: CustodyLeg[], milestones: CustodyMilestone[]) =>
  custodyOfShipment(journeyOf(legs, milestones)).map(({ holder: { kind, name }, from, to, basis }) =>
    [kind, name, from / hour, to / hour, basis].filter((part) => part !== null).join(' '),
  )

describe('the goods of a shipment are held', () => {
  test('by each in turn from the pack house to the consignee', () => {
    const way = [
      ...[at(-4, 'stuffed'), at(2, 'departed', '1'), at(6, 'arrived', '1'), at(6, 'gateIn', '2', 'Cape Town')],
      ...[at(20, 'loaded', '2', 'Cape Town'), at(24, 'departed', '2'), at(80, 'arrived', '2', 'Rotterdam')],
      ...[at(84, 'discharged', '2', 'Rotterdam'), at(85, 'customsHold', '2', 'Rotterdam')],
      ...[at(88, 'customsReleased', '2', 'Rotterdam'), at(90, 'fullOut', '2'), at(94, 'arrived', '3')],
      at(95, 'delivered', '3'),
    ]
    expect(told([road, sea, onward], way)).toEqual([
      'origin Pack house 0 2 start',
      'haulier Cape Haulage 2 6 departed',
      'terminal Cape Town 6 20 arrived',
      'carrier Northern Line 20 84 loaded',
      'terminal Rotterdam 84 85 discharged',
      'customs Rotterdam 85 88 customsHold',
      'terminal Rotterdam 88 90 customsReleased',
      'haulier 90 95 fullOut',
      'consignee Importer 95 100 delivered',
    ])
  })

  test('by the terminal from the arrival of a vessel of which no unloading is told', () => {
    expect(told([sea], [at(0, 'departed', '2'), at(80, 'arrived', '2', 'Rotterdam')])).toEqual([
      'carrier Northern Line 0 80 departed',
      'terminal Rotterdam 80 100 arrived',
    ])
  })

  test('by customs no longer than until they leave the place, and by the terminal of the unloading after that', () => {
    const held = [
      at(10, 'departed', '2'),
      at(50, 'customsHold', '2', 'Rotterdam'),
      at(55, 'discharged', '2', 'Rotterdam'),
    ]
    expect(told([sea], [...held, at(60, 'customsReleased')])).toEqual([
      'origin Pack house 0 10 start',
      'carrier Northern Line 10 50 departed',
      'customs Rotterdam 50 60 customsHold',
      'terminal Rotterdam 60 100 customsReleased',
    ])
    expect(told([sea], [...held, at(60, 'fullOut', '2')]).at(-1)).toBe('haulier 60 100 fullOut')
  })

  test('by an unknown haulier where only the departure from the origin is known, and by the origin without any milestone', () => {
    expect(told([sea], [at(5, 'departed')])).toEqual(['origin Pack house 0 5 start', 'haulier 5 100 departed'])
    expect(told([road], [at(5, 'departed')]).at(-1)).toBe('haulier Cape Haulage 5 100 departed')
    expect(told([sea], [])).toEqual(['origin Pack house 0 100 start'])
  })

  test('by the lorry at the end of its way until it delivers, and by the carrier again after a transshipment', () => {
    const next: CustodyLeg = { ...sea, id: '4', carrier: 'Feeder', toName: 'Felixstowe' }
    expect(
      told([sea, next], [at(1, 'departed', '2'), at(40, 'transshipped', '2', 'Rotterdam'), at(50, 'departed', '4')]),
    ).toEqual([
      ...['origin Pack house 0 1 start', 'carrier Northern Line 1 40 departed'],
      ...['terminal Rotterdam 40 50 transshipped', 'carrier Feeder 50 100 departed'],
    ])
    expect(told([onward], [at(0, 'departed', '3'), at(50, 'arrived', '3')])).toEqual(['haulier 0 100 departed'])
  })
})

const instant = fc.integer({ min: -20, max: 130 }).map((hours) => hours * hour)
const milestones = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...milestoneKinds),
      at: instant,
      legId: fc.constantFrom(null, '1', '2', '3'),
      placeName: fc.constantFrom(null, 'Cape Town', 'Rotterdam'),
    }),
    { maxLength: 25 },
  )
  .map((all) => all.sort((a, b) => a.at - b.at))

test('custody fills the time of a shipment, and every moment outside the limits is attributed exactly once', () => {
  fc.assert(
    fc.property(milestones, fc.array(fc.tuple(instant, instant), { maxLength: 6 }), (happened, spans) => {
      const journey = journeyOf([road, sea, onward], happened)
      const custody = custodyOfShipment(journey)
      expect(custody[0]?.from).toBe(journey.from)
      expect(custody.at(-1)?.to).toBe(journey.to)
      for (const [index, { from, to }] of custody.entries()) {
        expect(to).toBeGreaterThan(from)
        if (index > 0) expect(from).toBe(custody[index - 1]?.to)
      }
      let within = 0
      const shares = spans.flatMap(([a, b]) => {
        const outside = { from: Math.min(a, b), to: Math.max(a, b) }
        within += Math.max(0, Math.min(outside.to, journey.to) - Math.max(outside.from, journey.from))
        return sharesOf(custody, outside)
      })
      expect(shares.reduce((sum, { ms }) => sum + ms, 0)).toBe(within)
    }),
    { numRuns: 2_000 },
  )
})
