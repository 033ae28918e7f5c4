import type { Locale } from '@isotherm/contract/common.ts'
import { namedIn } from '@isotherm/contract/named.ts'
import type { ShipmentHolder } from '@isotherm/contract/shipment-evidence.ts'
import { provesInRange } from '@isotherm/contract/stats.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { periodText } from '../../reporting/facts.ts'
import { type Paper, tones } from '../../reporting/paper.ts'
import { keptTable, shares } from '../../reporting/table.ts'
import type { ShipmentContent } from './report-content.ts'
import { type Say, sayIn } from './report-words.ts'

/** The holders of the goods, what was out of range with each of them, and the part of each excursion. */
export function printCustody(paper: Paper, { custody, locale, shipment }: ShipmentContent): void {
  if (!custody) return
  const { words } = paper
  const ofShipments = sayIn(locale)
  const say: Say = (key, values = {}) => translate(locale, `shipmentEvidence:${key}`, values)
  const holderText = (holder: ShipmentHolder) => holderSaid(locale, holder)
  const outside = (ms: number) =>
    ms > 0 ? { text: words.duration(ms), color: tones.warm, strong: true } : { text: words.dash }
  keptTable(
    paper,
    say('title'),
    shares(
      ['holder', 'time', 'held', 'out'].map((key) => say(`column.${key}`)),
      [5, 5, 3, 3],
    ),
    custody.stretches.map(({ holder, from, to, basis, outsideMs }) => [
      {
        text: `${holderText(holder)}\n${basis === 'start' ? say('custody.start') : say('custody.since', { event: ofShipments(`event.${basis}`) })}`,
      },
      { text: periodText(words, { from, to }) },
      { text: words.duration(Date.parse(to) - Date.parse(from)) },
      outside(outsideMs),
    ]),
  )
  const verdict = say(provesInRange(shipment) ? 'custody.inRange' : 'custody.unproven')
  if (custody.stretches.some(({ devices }) => devices.length > 0))
    keptTable(
      paper,
      say('custody.measured'),
      shares(
        [
          ...[say('column.holder'), ofShipments('conditions.device'), ofShipments('conditions.readings')],
          ...[ofShipments('conditions.min'), ofShipments('conditions.max'), ofShipments('conditions.outside')],
        ],
        [6, 7, 2.5, 3, 3, 3],
      ),
      custody.stretches.flatMap(({ holder, from, to, devices }) =>
        devices.map((device, index) => [
          // A holder may have had the goods more than once: the first line of each time says when. The others have the name alone.
          {
            text:
              index === 0
                ? `${holderText(holder)}\n${periodText(words, { from, to })}`
                : holder.name || holderText(holder),
          },
          ...[{ text: device.name }, { text: words.number(device.readings) }],
          ...[{ text: words.celsius(device.minC) }, { text: words.celsius(device.maxC) }, outside(device.outsideMs)],
        ]),
      ),
      custody.excursions.length === 0 ? verdict : '',
    )
  if (custody.excursions.length > 0)
    keptTable(
      paper,
      say('custody.excursions'),
      shares(
        ['excursion', 'time', 'shares'].map((key) => say(`column.${key}`)),
        [1, 1, 1],
      ),
      custody.excursions.map(({ deviceName, measure, side, from, to, shares: parts }) => [
        { text: `${deviceName}\n${say(`measure.${measure}`)} ${say(`side.${side}`)}` },
        { text: periodText(words, { from, to }) },
        { text: parts.map(({ holder, ms }) => namedIn(locale, holderText(holder), words.duration(ms))).join('\n') },
      ]),
    )
}

/** A holder as pages name it: "Carrier: MSC". */
export function holderSaid(locale: Locale, { kind, name }: ShipmentHolder): string {
  const said = translate(locale, `shipmentEvidence:holders.${kind}`)
  return name ? namedIn(locale, said, name) : said
}
