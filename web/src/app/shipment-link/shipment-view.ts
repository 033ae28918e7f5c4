import { namedIn } from '@isotherm/contract/named.ts'
import type { FollowedShipment } from '@isotherm/contract/shipment-links.ts'
import { showAwb } from '@isotherm/contract/unit-numbers.ts'
import { humidityFacts, rangeOf } from '../link-pages/conditions-view.ts'
import { h } from '../link-pages/dom.ts'
import { celsius, currentLocale, t, time } from '../link-pages/words.ts'

type Leg = FollowedShipment['legs'][number]

/** A longer value may break: a phone has no more room. */
const longest = 20

/** Facts as a list of names and values; those without a value are left out. */
const factsOf = (facts: readonly (readonly [string, string | null])[]): HTMLElement =>
  h(
    'dl',
    {},
    ...facts.flatMap(([name, text]) =>
      text === null ? [] : [h('dt', {}, name), h('dd', text.length > longest ? {} : { class: 'whole' }, text)],
    ),
  )

/** The arrival with its zone: the time that clocks show there. */
function arrivalView({ eta, etaZone, isLate, state, legs }: FollowedShipment): HTMLElement | null {
  if (!eta || state === 'cancelled') return null
  const hasArrived = legs.at(-1)?.ata !== null
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, hasArrived ? t('shipmentPage:eta.arrived') : t('shipmentPage:eta.title')),
    h('p', { class: 'verdict' }, time(eta, etaZone)),
    h('p', { class: 'dim' }, t('shipmentPage:eta.zone', { zone: etaZone.replaceAll('_', ' ') })),
    isLate && h('p', { class: 'notice' }, t('shipmentPage:eta.late')),
  )
}

const tones: Record<string, string> = { inRange: 'ok', incomplete: 'warning', outOfRange: 'warm' }

/** The verdict in a word, and the one number; the humidity where it was out of range. */
function conditionsView({ conditions, etaZone }: FollowedShipment): HTMLElement | null {
  if (!conditions) return null
  const { verdict, incompleteBecause, worstC, worstAt, minC, maxC, humidity } = conditions
  const isCold = verdict === 'outOfRange' && worstC !== null && minC !== null && worstC < minC
  const limits = rangeOf({ min: minC, max: maxC }, celsius)
  return h(
    'section',
    { class: 'card conditions', 'data-tone': isCold ? 'cold' : (tones[verdict] ?? 'none') },
    h('h2', {}, t('shipmentPage:conditions.title')),
    h('p', { class: 'verdict' }, t(`shipmentPage:verdict.${verdict}`)),
    incompleteBecause && h('p', {}, t(`shipmentPage:incompleteBecause.${incompleteBecause}`)),
    worstC !== null && h('p', { class: 'number' }, celsius(worstC)),
    worstAt && h('p', { class: 'dim' }, t('shipmentPage:conditions.worst', { time: time(worstAt, etaZone) })),
    limits && h('p', { class: 'dim' }, t('shipmentPage:conditions.limits', { limits })),
    humidity && factsOf(humidityFacts('shipmentPage', humidity, etaZone)),
  )
}

/** An actual time, else the planned one, which says that it is. */
function timeOf(actual: string | null, planned: string | null, zone: string): string | null {
  if (actual) return time(actual, zone)
  return planned && `${time(planned, zone)} (${t('shipmentPage:journey.planned')})`
}

const legView = (leg: Leg): HTMLElement =>
  h(
    'li',
    { class: 'item' },
    h('b', {}, `${leg.from.name} → ${leg.to.name}`),
    h('span', { class: 'dim' }, t(`shipmentPage:mode.${leg.mode}`)),
    factsOf([
      [t('shipmentPage:journey.departure'), timeOf(leg.atd, leg.etd, leg.from.timezone)],
      [t('shipmentPage:journey.arrival'), timeOf(leg.ata, leg.eta, leg.to.timezone)],
      [t('shipmentPage:journey.vessel'), leg.vesselName],
      [t('shipmentPage:journey.voyage'), leg.voyage],
      [t('shipmentPage:journey.flight'), leg.flightNumber],
      [t('shipmentPage:journey.container'), leg.containerNo],
      [t('shipmentPage:journey.awb'), showAwb(leg.awb)],
    ]),
  )

function milestonesView({ milestones }: FollowedShipment): HTMLElement {
  const line = ({ kind, occurredAt, timezone, place }: FollowedShipment['milestones'][number]) =>
    h(
      'li',
      { class: 'item' },
      h('b', {}, t(`shipmentPage:milestone.${kind}`)),
      h('span', { class: 'dim' }, [time(occurredAt, timezone), place].filter(Boolean).join(' · ')),
    )
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('shipmentPage:milestones.title')),
    milestones.length > 0
      ? h('ol', { class: 'items' }, ...milestones.map(line))
      : h('p', { class: 'dim' }, t('shipmentPage:milestones.none')),
  )
}

/** The title of a document, behind its kind in the reader's language unless that is all it says. */
function nameOf({ kind, title }: FollowedShipment['documents'][number]): string {
  const known = t(`shipmentPage:document.${kind}`)
  return kind === 'other' || title.toLowerCase().includes(known.toLowerCase())
    ? title
    : namedIn(currentLocale(), known, title)
}

function documentsView({ documents }: FollowedShipment, open: (documentNo: number) => void): HTMLElement | null {
  if (documents.length === 0) return null
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('shipmentPage:documents.title')),
    ...documents.map((one) => h('button', { class: 'plain', click: () => open(one.documentNo) }, nameOf(one))),
  )
}

/** The whole page of a shipment; `open` downloads one of its documents. */
export function shipmentView(page: FollowedShipment, open: (documentNo: number) => void): HTMLElement {
  const { origin, destination, number, reference, product, etaZone } = page
  return h(
    'main',
    { class: 'page-main' },
    h('h1', {}, t(`shipmentPage:state.${page.state}`)),
    h('p', {}, `${product} · ${number}`),
    reference && h('p', { class: 'dim' }, t('shipmentPage:reference', { reference })),
    h('p', { class: 'dim' }, `${origin.name} (${origin.country}) → ${destination.name} (${destination.country})`),
    arrivalView(page),
    conditionsView(page),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, t('shipmentPage:journey.title')),
      h('ol', { class: 'items' }, ...page.legs.map(legView)),
    ),
    milestonesView(page),
    documentsView(page, open),
    h('p', { class: 'dim' }, t('shipmentPage:asOf', { time: time(page.at, etaZone) })),
  )
}
