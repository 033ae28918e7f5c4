import { namedIn } from '@isotherm/contract/named.ts'
import { namesOfProducts, productsOf } from '@isotherm/contract/shipment-products.ts'
import { devicePlaces, type PpecbLoading, tooWarmToLoad, uncooledPulpMaxC } from '@isotherm/contract/shipments.ts'
import { factTable, issuedFact } from '../../reporting/facts.ts'
import { dim, type Paper, paragraph, tones } from '../../reporting/paper.ts'
import { printTitle } from '../../reporting/title.ts'
import type { ShipmentContent } from './report-content.ts'
import { localTime, mainLeg, sayIn, unitOf, weightText } from './report-words.ts'

/** The loading data of a refrigerated container, in the order of the regulations; what nobody has written stands empty. */
export function printLoading(paper: Paper, content: ShipmentContent): void {
  const { shipment, locale } = content
  const { ppecb } = shipment
  const registered = ppecb ?? content.registered
  const { words } = paper
  const say = sayIn(locale)
  const leg = mainLeg(shipment)
  const standing = shipment.legs.filter(({ rolledAt }) => rolledAt === null)
  const packed = leg?.containerNo ? leg : (standing.find(({ containerNo }) => containerNo !== null) ?? leg)
  printTitle(paper, {
    title: say('report.title.ppecb', { number: shipment.number }),
    subtitle: say('report.subtitle', { company: content.company }),
  })
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : words.number(value)
  const degrees = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : words.given(value, '°C')
  const places: readonly string[] = devicePlaces
  const placeName = (place: string) => (places.includes(place) ? say(`place.${place}`) : place)
  const readingsText = (readings: PpecbLoading['probeReadings']) =>
    readings.map(({ place, celsius }) => namedIn(locale, placeName(place), degrees(celsius))).join(', ')
  const isCarried = shipment.carryingMinC !== null || shipment.carryingMaxC !== null
  const isWarm = ppecb?.isUncooled ?? false
  const regime = isWarm ? uncooledRegime(shipment.regimeCode ?? '') : (shipment.regimeCode ?? '')
  const facts: [string, string][] = [
    ['exporterUcn', registered.exporterUcn ?? ''],
    ['puc', registered.puc ?? ''],
    ['phc', registered.phc ?? ''],
    ['netWeight', typeof ppecb?.netWeightKg === 'number' ? weightText(words, ppecb.netWeightKg) : ''],
    ['cartons', number(ppecb?.cartons)],
    ['container', packed ? unitOf(packed, say) : ''],
    ['product', shipment.furtherProducts.length > 0 ? namesOfProducts(productsOf(shipment)) : shipment.product],
    ['variety', shipment.furtherProducts.length > 0 ? '' : (shipment.variety ?? '')],
    ['class', ppecb?.class ?? ''],
    ['storageRegime', ppecb?.storageRegime ?? ''],
    ['loadingTemperature', degrees(ppecb?.loadingTemperatureC)],
    ['loadedAt', loadedText(content)],
    ['setPoint', degrees(ppecb?.setPointC ?? shipment.setPointC)],
    ['ventilation', ppecb?.ventilation ?? ''],
    ['probeReadings', readingsText(ppecb?.probeReadings ?? [])],
    ['approvedLoggers', approvedText(content)],
    ['carryingTemperature', isCarried ? words.range(shipment.carryingMinC, shipment.carryingMaxC, '°C') : ''],
    ['regimeCode', regime],
    ['exporterBooking', ppecb?.exporterBooking ?? ''],
    ['lineReference', ppecb?.lineReference ?? leg?.bookingNumber ?? ''],
    ['vessel', [leg?.vesselName, leg?.voyage].filter(Boolean).join(' ')],
    ['dischargePorts', ppecb?.dischargePorts ?? leg?.toName ?? ''],
    ['seal', packed?.sealNo ?? standing.find(({ sealNo }) => sealNo !== null)?.sealNo ?? ''],
    ['packaging', ppecb?.packaging ?? ''],
    ['isUncooled', ppecb ? say(`ppecb.${isWarm ? 'yes' : 'no'}`) : ''],
    ['previousRejections', ppecb?.previousRejections ?? ''],
    ['reinspection', ppecb?.reinspection ?? ''],
  ]
  factTable(
    paper,
    [
      ...facts.map(([name, value]): [string, string] => [say(`ppecb.${name}`), value || words.dash]),
      issuedFact(words, content),
    ],
    190,
  )
  const tooWarm = ppecb ? tooWarmToLoad(ppecb) : []
  if (tooWarm.length > 0)
    paragraph(paper, say('form.tooWarm', { limit: degrees(uncooledPulpMaxC), readings: readingsText(tooWarm) }), {
      color: tones.warning,
    })
  paragraph(paper, say('ppecb.basis'), { color: dim })
}

/** The time of loading as somebody wrote it, else that of the milestone. */
function loadedText({ locale, shipment: { ppecb, events, origin } }: ShipmentContent): string {
  const stuffed = events.find(({ kind, isCorrected, withdrawn }) => kind === 'stuffed' && !isCorrected && !withdrawn)
  const at = ppecb?.loadedAt ?? stuffed?.occurredAt
  return at ? localTime(locale, origin.timezone, at) : ''
}

/** The letter W stands once before the code of fruit that is loaded uncooled: a code of the company's list may have it already. */
const uncooledRegime = (code: string): string => (/^w/i.test(code) ? code : `W${code}`)

/** The loggers that the PPECB approved, with the number of their type. */
const approvedText = ({ locale, shipment, approvals }: ShipmentContent): string =>
  shipment.devices
    .flatMap(({ id, name }) => (approvals[id] === undefined ? [] : [namedIn(locale, name, approvals[id])]))
    .join(', ')
