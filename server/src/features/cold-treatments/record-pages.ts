import type { TreatmentClock } from '@isotherm/contract/cold-treatments.ts'
import { momentWriter } from '@isotherm/contract/times.ts'
import { dayAt } from '../../core/shipments/ends.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { type Fact, factTable, issuedFact, keptFacts } from '../../reporting/facts.ts'
import type { Digest } from '../../reporting/layout.ts'
import { dim, heading, ink, lowest, type Paper, paragraph, sheet, textWidth, tones } from '../../reporting/paper.ts'
import { keptTable, shares, table } from '../../reporting/table.ts'
import { printTitle } from '../../reporting/title.ts'
import { printWarmest } from './record-chart.ts'
import type { RecordContent, RecordProbe } from './record-content.ts'

type Say = (key: string, values?: Record<string, unknown>) => string
const sayIn =
  ({ locale }: Pick<RecordContent, 'locale'>): Say =>
  (key, values = {}) =>
    translate(locale, `coldTreatments:${key}`, values)

/** The statements, in the order in which an authority reads them. */
export function printRecord(paper: Paper, content: RecordContent, digest: Digest): void {
  const say = sayIn(content)
  printTitle(paper, {
    title: say('record.title', { number: content.number }),
    subtitle: say('record.subtitle', { company: content.company }),
  })
  paragraph(paper, say('record.notCertificate'), { size: 9, color: tones.warning })
  printConsignment(paper, content, say)
  printSchedule(paper, content, say)
  printProbes(paper, content, say)
  printResult(paper, content, say)
  printGaps(paper, content, say)
  printWarmest(paper, content, say('record.chart'))
  printSigning(paper, content, { digest, say })
}

const even = (titles: string[]) => titles.map((title) => ({ title, width: textWidth / titles.length }))
const texts = (cells: string[]) => cells.map((text) => ({ text }))
const written = (...parts: (string | number | null)[]) => parts.filter(Boolean).join(' · ')

function printConsignment(paper: Paper, content: RecordContent, say: Say) {
  const { words } = paper
  const { origin, destination, carriage } = content
  heading(paper, say('record.consignment'))
  const at = (moment: number | null) => (moment === null ? words.dash : words.time(moment))
  factTable(paper, [
    [say('record.shipment'), content.number],
    [say('record.exporter'), content.company],
    [say('record.commodity'), content.products || words.dash],
    [say('record.pallets'), content.pallets === null ? words.dash : words.number(content.pallets)],
    [say('record.origin'), written(origin.name, origin.region, origin.country)],
    [say('record.destination'), written(destination.name, destination.region, destination.country)],
    ...carriage.flatMap((leg): Fact[] => {
      const container = written(leg.containerNo, leg.sealNo && say('record.seal', { seal: leg.sealNo }))
      const vessel = written(leg.vessel, leg.imo && `IMO ${leg.imo}`, leg.voyage)
      // An unknown vessel of a voyage is shown as a dash; a lorry has none.
      const isVoyage = leg.mode === 'sea' || leg.mode === 'air'
      return [
        ...(container || isVoyage ? [[say('record.container'), container || words.dash] as Fact] : []),
        ...(vessel || isVoyage ? [[say('record.vessel'), vessel || words.dash] as Fact] : []),
        [say('record.from'), written(leg.from, at(leg.departure))],
        [say('record.to'), written(leg.to, at(leg.arrival))],
      ]
    }),
    issuedFact(words, content),
  ])
  const containers = new Set(carriage.map(({ containerNo }) => containerNo).filter(Boolean))
  if (containers.size > 1) paragraph(paper, say('record.severalContainers'), { color: tones.warning })
  const { isInHold, isSealed, isMixed, isLoadingNoted } = content.treatment.carriage
  if (isInHold)
    paragraph(paper, say('warnings.inHold', { n: content.treatment.protocol.probes }), { color: tones.warning })
  if (containers.size > 0 && !isSealed) paragraph(paper, say('warnings.noSeal'), { color: tones.warning })
  if (isMixed) paragraph(paper, say('warnings.mixed'), { color: tones.warning })
  if (!isLoadingNoted) paragraph(paper, say('warnings.noLoading'), { color: tones.warning })
}

function printSchedule(paper: Paper, { treatment: { protocol } }: RecordContent, say: Say) {
  const { words } = paper
  heading(paper, say('record.schedule'))
  factTable(paper, [
    [say('record.protocol'), `${say(`protocols.${protocol.id}`)} (${protocol.id})`],
    [say('record.commodityOf'), protocol.commodity],
    [say('record.pest'), protocol.pest],
    [
      say('record.rows'),
      protocol.rows.map(({ maxC, days }) => say('rowText', { max: words.given(maxC, '°C'), days })).join('\n'),
    ],
    [say('record.rules'), rulesText(paper, protocol, say)],
    [say('record.source'), `${protocol.source}. ${say('record.checkedOn', { day: words.day(protocol.checkedOn) })}`],
  ])
  if (!protocol.verified) paragraph(paper, say('unverified'), { color: tones.warning })
}

function rulesText({ words }: Paper, protocol: RecordContent['treatment']['protocol'], say: Say): string {
  const { probes, maxGapMin, maxStepC, startC, minC } = protocol
  return [
    say('record.ruleProbes', { n: probes }),
    say('record.ruleGap', { minutes: maxGapMin }),
    maxStepC === null ? null : say('record.ruleStep', { step: words.given(maxStepC, '°C') }),
    startC === null ? null : say('record.ruleStart', { max: words.given(startC, '°C') }),
    minC === null ? null : say('record.ruleMin', { min: words.given(minC, '°C') }),
  ]
    .filter(Boolean)
    .join('\n')
}

const placeOf = (say: Say, place: string) => say('place', { number: place.replace('pulp', '') })

function printProbes(paper: Paper, content: RecordContent, say: Say) {
  const { probes } = content
  const { words } = paper
  keptTable(
    paper,
    say('record.probes'),
    shares(
      ['probe', 'device', 'certificate', 'calibrated', 'offset'].map((name) => say(`record.${name}`)),
      [3, 7, 5, 8, 4],
    ),
    probes.map(({ place, name, certificate, calibratedOn, dueOn, offsetC }) =>
      texts([
        ...[placeOf(say, place), name, certificate ?? say('record.noCalibration')],
        calibratedOn && dueOn
          ? say('record.calibratedUntil', { on: words.day(calibratedOn), due: words.day(dueOn) })
          : words.dash,
        words.given(offsetC, '°C'),
      ]),
    ),
  )
  paragraph(paper, say('record.corrected'))
  const warn = (key: string, of: readonly RecordProbe[]) => {
    const names = of.map(({ name }) => name).join(', ')
    if (names) paragraph(paper, say(key, { names }), { color: tones.warning })
  }
  const provenOn = dayAt(content.origin, new Date(content.treatment.clock?.provenAt ?? content.issuedAt))
  warn(
    'warnings.noCertificate',
    probes.filter(({ certificate }) => certificate === null),
  )
  warn(
    'warnings.overdue',
    probes.filter(({ dueOn }) => dueOn !== null && dueOn < provenOn),
  )
}

function printResult(paper: Paper, content: RecordContent, say: Say) {
  const { clock, isOver } = content.treatment
  if (!clock) return
  const { words } = paper
  const time = (at: string | null) => (at ? words.time(at) : words.dash)
  const { row, limiting, coldest } = clock
  const device = (id: string) => content.probes.find((one) => String(one.id) === id)?.name ?? id
  keptFacts(paper, say('record.result'), [
    [say('record.state'), say(`states.${isOver && clock.state !== 'proven' ? 'over' : clock.state}`)],
    [say('record.row'), say('rowText', { max: words.given(row.maxC, '°C'), days: row.days })],
    [say('started'), time(clock.startedAt)],
    [say('provenAt'), time(clock.provenAt)],
    [
      say('proven'),
      say('record.ofTime', { time: words.duration(clock.provenMs), all: words.duration(clock.requiredMs) }),
    ],
    [say('elapsed'), words.duration(clock.elapsedMs)],
    [say('left'), words.duration(clock.leftMs)],
    [say('knownUntil'), time(clock.knownUntil)],
    [
      say('limiting'),
      limiting
        ? written(
            device(limiting.deviceId),
            words.celsius(limiting.celsius),
            words.time(limiting.at),
            margin(words, clock, say),
          )
        : words.dash,
    ],
    [say('record.interruptions'), words.number(clock.interruptionCount)],
    [say('record.coldest'), coldest ? written(device(coldest.deviceId), words.celsius(coldest.celsius)) : words.dash],
  ])
  const names = (ids: readonly string[]) => ids.map(device).join(', ')
  const warnings = [
    clock.missingProbes > 0 && say('missing', { n: clock.missingProbes }),
    clock.silent.length > 0 && say('silent', { names: names(clock.silent) }),
    clock.tooColdHours > 0 && say('warnings.tooCold', { n: clock.tooColdHours }),
    clock.notPrecooled.length > 0 && say('warnings.notPrecooled', { names: names(clock.notPrecooled) }),
    clock.toReplace.length > 0 && say('warnings.toReplace', { names: names(clock.toReplace) }),
    clock.warmAfter &&
      say('warnings.warmAfter', {
        at: words.time(clock.warmAfter.at),
        celsius: words.celsius(clock.warmAfter.celsius),
      }),
  ]
  for (const text of warnings) if (text) paragraph(paper, text, { color: tones.warning })
}

const margin = ({ celsius }: Paper['words'], { marginC }: TreatmentClock, say: Say) =>
  marginC === null ? null : say('record.margin', { margin: celsius(marginC) })

function printGaps(paper: Paper, content: RecordContent, say: Say) {
  const { clock, verifiedGaps } = content.treatment
  const { words } = paper
  const device = (id: string) => content.probes.find((one) => String(one.id) === id)?.name ?? id
  const tellRest = (listed: readonly unknown[], all: number) => {
    if (listed.length < all)
      paragraph(paper, say('record.newest', { shown: words.number(listed.length), all: words.number(all) }), {
        color: tones.warning,
      })
  }
  if (clock && clock.interruptions.length > 0) {
    keptTable(
      paper,
      say('record.interruptions'),
      even([say('record.at'), say('record.device'), say('record.temperature')]),
      clock.interruptions.map((one) => texts([words.time(one.at), device(one.deviceId), words.celsius(one.celsius)])),
    )
    tellRest(clock.interruptions, clock.interruptionCount)
  }
  if (clock && clock.unproven.length > 0) {
    keptTable(
      paper,
      say('record.gaps'),
      even([say('record.device'), say('record.reason'), say('record.fromTime'), say('record.toTime')]),
      clock.unproven.map(({ deviceId, reason, from, to, isOpen }) =>
        texts([device(deviceId), say(`reasons.${reason}`), words.time(from), isOpen ? say('goesOn') : words.time(to)]),
      ),
    )
    tellRest(clock.unproven, clock.unprovenCount)
  } else if (clock?.startedAt) paragraph(paper, say('record.noGaps'))
  if (verifiedGaps.length > 0)
    keptTable(
      paper,
      say('record.verified'),
      even([
        say('record.fromTime'),
        say('record.toTime'),
        say('record.official'),
        say('record.note'),
        say('record.noted'),
      ]),
      verifiedGaps.map(({ from, to, by, note, notedAt, notedByName }) =>
        texts([words.time(from), words.time(to), by, note, written(notedByName, words.time(notedAt))]),
      ),
    )
}

function printSigning(paper: Paper, { signatures }: RecordContent, { digest, say }: { digest: Digest; say: Say }) {
  const { words } = paper
  if (signatures.length > 0)
    keptTable(
      paper,
      say('record.signatures'),
      even([say('record.signer'), say('record.meaning'), say('record.at'), 'SHA-256']),
      signatures.map((one) =>
        texts([
          one.signerName,
          written(words.t(`record.meanings.${one.meaning}`), one.changed.length > 0 ? say('record.void') : null),
          words.time(one.signedAt),
          one.sha256,
        ]),
      ),
    )
  heading(paper, say('record.official'), 120)
  paragraph(paper, say('record.forOfficial'))
  paper.room(56)
  const { doc } = paper
  const width = (textWidth - 40) / 3
  for (const [index, title] of ['record.officialName', 'record.officialDate', 'record.officialSignature'].entries()) {
    const left = sheet.left + index * (width + 20)
    doc
      .moveTo(left, paper.y + 34)
      .lineTo(left + width, paper.y + 34)
      .lineWidth(0.6)
      .strokeColor(ink)
      .stroke()
    doc
      .font('text')
      .fontSize(7.5)
      .fillColor(dim)
      .text(say(title), left, paper.y + 38, { width })
  }
  paper.y += 56
  heading(paper, say('record.hashes'))
  factTable(paper, [
    [say('record.dataHash'), digest.dataSha256],
    [say('record.readings'), words.number(digest.readings)],
  ])
}

/** Room for a date, a time and an offset. */
const dateWidth = 116

/**
 * Every hour of every probe: date and time, then the probes by their numbers. The two hours in which summer time ends are told apart by their
 * offsets.
 */
export function printHourly(paper: Paper, content: Pick<RecordContent, 'hourly' | 'probes' | 'locale' | 'zone'>): void {
  const { hourly, probes, locale, zone } = content
  const say = sayIn(content)
  const { words } = paper
  if (paper.y > lowest - 120) paper.newPage()
  heading(paper, say('record.hourly', { zone }))
  const width = (textWidth - dateWidth) / Math.max(1, probes.length)
  const [first, last] = [hourly[0]?.at ?? 0, hourly.at(-1)?.at ?? 0]
  const write = momentWriter(locale, zone, new Date(first), new Date(last))
  table(
    paper,
    [
      { title: say('record.at'), width: dateWidth },
      ...probes.map(({ place }) => ({ title: placeOf(say, place), width, align: 'right' as const })),
    ],
    hourly.map(({ at, values }) => [
      write(new Date(at)),
      ...values.map((value) => (value === null ? { text: words.dash, color: tones.warning } : words.number(value, 2))),
    ]),
  )
}
