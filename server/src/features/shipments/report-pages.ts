import { namedIn } from '@isotherm/contract/named.ts'
import type { ShipmentDevice, ShipmentEnd, ShipmentEvent, ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { dayAt } from '../../core/shipments/ends.ts'
import { type Fact, factTable, issuedFact, periodText } from '../../reporting/facts.ts'
import { type Paper, paragraph, tones } from '../../reporting/paper.ts'
import { type Field, keptTable, shares } from '../../reporting/table.ts'
import { printTitle } from '../../reporting/title.ts'
import { printCustody } from './custody-pages.ts'
import { printProducts, productFacts } from './product-pages.ts'
import type { ShipmentContent } from './report-content.ts'
import {
  carriageOf,
  carrierOf,
  localTime,
  markedAs,
  placeOf,
  type Say,
  sayIn,
  timesOf,
  titleOf,
  unitOf,
  vesselNumberOf,
  weightText,
} from './report-words.ts'

/** The pages of a shipment's report: what it is, its way, its conditions, its papers, and all that happened. */
export function printJourney(paper: Paper, content: ShipmentContent): void {
  const say = sayIn(content.locale)
  printHead(paper, content, say)
  printEvidence(paper, content, say)
}

/** The facts that a claim rests on, too: the way, the conditions, the holders, the papers, and all that happened. */
export function printEvidence(paper: Paper, content: ShipmentContent, say: Say): void {
  printProducts(paper, content, say)
  printLegs(paper, content, say)
  printConditions(paper, content, say)
  printCustody(paper, content)
  printDevices(paper, content, say)
  printDocuments(paper, content, say)
  printEvents(paper, content, say)
}

const texts = (cells: string[]) => cells.map((text) => ({ text }))

function printHead(paper: Paper, content: ShipmentContent, say: Say) {
  const { shipment, locale } = content
  const { words } = paper
  printTitle(paper, {
    title: titleOf(content),
    subtitle: say('report.subtitle', { company: content.company }),
  })
  const day = (date: string | null) => date && words.day(date)
  const carrying = [shipment.carryingMinC, shipment.carryingMaxC].some((limit) => limit !== null)
    ? words.range(shipment.carryingMinC, shipment.carryingMaxC, '°C')
    : null
  const countries = new Intl.DisplayNames([locale, 'en'], { type: 'region' })
  const facts: [string, string | null | undefined][] = [
    [say('fields.state'), say(`state.${shipment.state}`)],
    [say('fields.verdict'), shipment.verdict && say(`verdict.${shipment.verdict}`)],
    [say('fields.logistics'), say(`logistics.${shipment.logistics}`)],
    [say('fields.reference'), shipment.reference],
    [say('fields.trackingNumber'), shipment.trackingNumber],
    ...productFacts(paper, content, say),
    [say('fields.pallets'), shipment.pallets === null ? null : words.number(shipment.pallets)],
    [
      say('fields.grossWeight'),
      shipment.grossWeightG === null ? null : weightText(words, shipment.grossWeightG / 1000),
    ],
    [say('fields.incoterm'), [shipment.incoterm, shipment.incotermPlace].filter(Boolean).join(' ') || null],
    [say('fields.origin'), endText(shipment.origin, say)],
    [say('fields.destination'), endText(shipment.destination, say)],
    [say('fields.partner'), shipment.partner?.companyName ?? null],
    [say('fields.region'), shipment.region],
    [say('fields.country'), shipment.country && countries.of(shipment.country)],
    [say('fields.personOfContact'), shipment.personOfContact],
    [say('fields.setPoint'), shipment.setPointC === null ? null : words.given(shipment.setPointC, '°C')],
    [say('fields.limits'), carrying],
    [say('fields.regimeCode'), shipment.regimeCode],
    [say('fields.loadingOn'), day(shipment.loadingOn)],
    [say('fields.departureOn'), day(shipment.departureOn)],
    [say('fields.lot'), shipment.lot],
    [say('fields.started'), shipment.startedAt && localTime(locale, shipment.origin.timezone, shipment.startedAt)],
    [say('fields.ended'), shipment.endedAt && localTime(locale, shipment.destination.timezone, shipment.endedAt)],
    [
      say('fields.cancelled'),
      shipment.cancelledAt &&
        [localTime(locale, shipment.origin.timezone, shipment.cancelledAt), shipment.cancelReason]
          .filter(Boolean)
          .join(' · '),
    ],
  ]
  factTable(paper, [
    ...facts.flatMap(([name, value]): Fact[] => (value ? [[name, value]] : [])),
    issuedFact(words, content),
  ])
}

/** "Citrusdal pack house, ZA, GLN 6001234500001" */
const endText = ({ name, country, gln, glnUnchecked }: ShipmentEnd, say: Say): string =>
  [name, country, gln && markedAs(`GLN ${gln}`, glnUnchecked, say)].filter(Boolean).join(', ')

function printLegs(paper: Paper, content: ShipmentContent, say: Say) {
  const { shipment, locale, issuedAt } = content
  const cell = (leg: ShipmentLeg, end: 'departure' | 'arrival') => {
    const { planned, estimated, actual } = timesOf(leg, end, { locale, now: issuedAt })
    return [
      planned && namedIn(locale, say('journey.planned'), planned),
      estimated && namedIn(locale, say('journey.estimated'), estimated),
      actual && namedIn(locale, say('journey.actual'), actual),
    ]
      .filter(Boolean)
      .join('\n')
  }
  keptTable(
    paper,
    say('report.legs'),
    shares([say('journey.leg'), say('journey.from'), say('journey.to'), say('journey.unit')], [3, 5, 5, 3]),
    shipment.legs.map((leg) =>
      texts([
        [
          `${leg.sequence}. ${say(`mode.${leg.mode}`)}`,
          carriageOf(leg),
          vesselNumberOf(leg, say),
          carrierOf(leg),
          leg.rolledAt && say('journey.rolled'),
        ]
          .filter(Boolean)
          .join('\n'),
        [placeOf(leg.fromName, leg.fromPort), cell(leg, 'departure')].filter(Boolean).join('\n'),
        [placeOf(leg.toName, leg.toPort), cell(leg, 'arrival')].filter(Boolean).join('\n'),
        [
          unitOf(leg, say),
          leg.sealNo && namedIn(locale, say('fields.seal'), leg.sealNo),
          leg.bookingNumber && namedIn(locale, say('fields.bookingNumber'), leg.bookingNumber),
          leg.houseAwb && namedIn(locale, say('fields.houseAwb'), leg.houseAwb),
        ]
          .filter(Boolean)
          .join('\n'),
      ]),
    ),
  )
}

function printConditions(paper: Paper, { conditions, shipment, locale }: ShipmentContent, say: Say) {
  const { words } = paper
  if (shipment.devices.length === 0) return paragraph(paper, say('report.noDevices'), { color: tones.warning })
  const titles = ['device', 'place', 'readings', 'min', 'max', 'mean', 'outside'].map((name) =>
    say(`conditions.${name}`),
  )
  for (const { legId, from, to, devices } of conditions) {
    const leg = shipment.legs.find(({ id }) => id === legId)
    const name = leg ? `${leg.sequence}. ${say(`mode.${leg.mode}`)} ${carriageOf(leg)}`.trim() : say('conditions.whole')
    keptTable(
      paper,
      namedIn(locale, say('conditions.title'), `${name} (${periodText(words, { from, to })})`),
      shares(titles, [5, 2, 2, 2, 2, 2, 2]),
      devices.map((device) => [
        ...texts([device.name, say(`place.${device.place}`), words.number(device.readings)]),
        ...texts([device.minC, device.maxC, device.meanC].map((value) => words.celsius(value))),
        device.outsideMs > 0
          ? { text: words.duration(device.outsideMs), color: tones.warm, strong: true }
          : { text: words.dash },
      ]),
    )
  }
  const wider = shipment.devices.filter(({ hasWiderLimits }) => hasWiderLimits)
  if (wider.length > 0) {
    const range = words.range(shipment.carryingMinC, shipment.carryingMaxC, '°C')
    paragraph(paper, say('widerLimits', { range, names: wider.map(({ name }) => name).join(', ') }))
  }
  if (shipment.hiddenDevices > 0) paragraph(paper, say('hidden', { count: shipment.hiddenDevices }))
}

/** The name of a device with when it joined under way, and when it was taken off. */
function withTimes({ words }: Paper, { name, joinedAt, leftAt }: ShipmentDevice, say: Say): string {
  const joined = joinedAt && say('devicesTab.joined', { time: words.time(joinedAt) })
  return [name, joined, leftAt && say('devicesTab.left', { time: words.time(leftAt) })].filter(Boolean).join('\n')
}

function printDevices(paper: Paper, content: ShipmentContent, say: Say) {
  const { devices } = content.shipment
  if (devices.length === 0) return
  // Numbers stay on one line where all columns are used; names and certificates break.
  const columns: { title: string; share: number; cell: (device: ShipmentDevice) => Field }[] = [
    { title: say('conditions.device'), share: 5, cell: (device) => ({ text: withTimes(paper, device, say) }) },
    { title: 'IMEI', share: 5.3, cell: ({ imei }) => ({ text: imei ?? '' }) },
    { title: say('conditions.place'), share: 3.3, cell: ({ place }) => ({ text: say(`place.${place}`) }) },
    { title: say('fields.palletRef'), share: 3.8, cell: ({ palletRef }) => ({ text: palletRef ?? '' }) },
    {
      title: 'SSCC',
      share: 6,
      cell: ({ sscc, ssccUnchecked }) => ({ text: sscc ? markedAs(sscc, ssccUnchecked, say) : '' }),
    },
    { title: say('report.calibration'), share: 5, cell: ({ id }) => calibrationOf(paper, content, id) },
  ]
  const used = columns.filter(({ cell }) => devices.some((device) => cell(device).text !== ''))
  keptTable(
    paper,
    say('report.devices'),
    shares(
      used.map(({ title }) => title),
      used.map(({ share }) => share),
    ),
    devices.map((device) => used.map(({ cell }) => cell(device))),
  )
}

/** The certificate of a device, with a warning where it was due before the shipment ended. */
function calibrationOf({ words }: Paper, { calibrations, shipment, locale, issuedAt }: ShipmentContent, id: string) {
  const known = calibrations[id]
  if (!known) return { text: '' }
  const isOver = known.dueOn < dayAt(shipment.origin, shipment.endedAt ? Date.parse(shipment.endedAt) : issuedAt)
  const text = sayIn(locale)(isOver ? 'report.calibrationOver' : 'report.calibrationDue', {
    ...{ certificate: known.certificateNo, due: words.day(known.dueOn) },
  })
  return isOver ? { text, color: tones.warning, strong: true } : { text }
}

function printDocuments(paper: Paper, { shipment, locale }: ShipmentContent, say: Say) {
  if (shipment.documents.length === 0) return
  keptTable(
    paper,
    say('documents.title'),
    shares([say('documents.kind'), say('documents.name'), say('documents.version'), 'SHA-256'], [3, 3, 5, 6]),
    shipment.documents.map((one) =>
      texts([
        ...[say(`document.${one.kind}`), one.title],
        `${one.version} · ${localTime(locale, shipment.origin.timezone, one.addedAt)}`,
        one.sha256,
      ]),
    ),
  )
}

/** Why an event stands no more; null where it stands. */
function replacedWords({ isCorrected, withdrawn }: ShipmentEvent, { words }: Paper, say: Say): string | null {
  if (!withdrawn) return isCorrected ? say('events.corrected') : null
  const { at, byName, reason } = withdrawn
  return say('events.withdrawn', { by: byName ?? say('source.person'), time: words.exactTime(at), reason })
}

/** The device or the document that an event tells of. */
const subjectOf = ({ deviceName, detail: { title } }: ShipmentEvent) =>
  deviceName ?? (typeof title === 'string' ? title : null)

function printEvents(paper: Paper, { shipment, locale }: ShipmentContent, say: Say) {
  keptTable(
    paper,
    say('events.title'),
    shares([say('events.occurred'), say('events.recorded'), say('events.event'), say('events.by')], [8, 9, 9, 7]),
    shipment.events.map((event) =>
      texts([
        localTime(locale, event.timezone, event.occurredAt),
        paper.words.exactTime(event.recordedAt),
        [say(`event.${event.kind}`), event.placeName, subjectOf(event), replacedWords(event, paper, say)]
          .filter(Boolean)
          .join(' · '),
        event.byName ?? say(`source.${event.source}`),
      ]),
    ),
  )
}
