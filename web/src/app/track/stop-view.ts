import { namedIn } from '@isotherm/contract/named.ts'
import type { TrackedStop } from '@isotherm/contract/order-links.ts'
import { conditionsView } from '../link-pages/conditions-view.ts'
import { h } from '../link-pages/dom.ts'
import { placeLink } from '../link-pages/map-link.ts'
import { plannedFor } from '../link-pages/planned-for.ts'
import { age, currentLocale, number, span, t, time } from '../link-pages/words.ts'

/** The state of the stop in a sentence. */
function sentence(page: TrackedStop): string {
  if (page.postponedUntil) return t('receiverPage:postponed', { until: time(page.postponedUntil, page.timezone) })
  if (page.state === 'waiting') return t(`receiverPage:state.${page.orderState === 'new' ? 'planned' : 'waiting'}`)
  return t(`receiverPage:state.${page.state}`)
}

/** The arrival as an interval, with what it rests on. */
function arrivalView({ eta, timezone, windowFrom, windowBy, at, settledAt, state }: TrackedStop): HTMLElement | null {
  if (settledAt) return h('p', { class: 'dim' }, time(settledAt, timezone))
  const planned = plannedFor({ windowFrom, windowBy, timezone })
  if (!eta || state === 'arrived') return planned ? h('p', {}, planned) : null
  const isLate = Date.parse(eta.to) < Date.parse(at)
  const expected = isLate ? t('receiverPage:arrival.anyMoment') : span(eta.from, eta.to, timezone)
  const basis = t(`receiverPage:basis.${eta.basis}`, { legs: number(eta.legs) })
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('receiverPage:arrival.title')),
    h('p', { class: 'verdict' }, expected),
    h('p', { class: 'dim' }, eta.isFrozen ? `${basis} ${t('receiverPage:arrival.frozen')}` : basis),
    planned && h('p', { class: 'dim' }, planned),
  )
}

const withReason = (taken: string, reason: string | null) => (reason ? namedIn(currentLocale(), taken, reason) : taken)

function itemsView({ items }: TrackedStop): HTMLElement {
  const line = (item: TrackedStop['items'][number]) =>
    h(
      'li',
      {},
      `${number(item.quantity)} × ${item.name}`,
      item.unitCount > 1 ? ` (${t('receiverPage:items.units', { count: number(item.unitCount) })})` : null,
      item.deliveredQuantity !== null && item.deliveredQuantity !== item.quantity
        ? h(
            'p',
            { class: 'dim' },
            withReason(t('receiverPage:items.taken', { count: number(item.deliveredQuantity) }), item.refusedReason),
          )
        : null,
    )
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('receiverPage:items.title')),
    h('ul', { class: 'items' }, ...items.map(line)),
  )
}

function placeView({ position, at }: TrackedStop): HTMLElement | null {
  if (!position) return null
  const link = placeLink(position)
  const where = `${position.lat.toFixed(5)}, ${position.lon.toFixed(5)}`
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('receiverPage:place.title')),
    link && h('a', { class: 'button', href: link }, t('receiverPage:place.open')),
    h('p', { class: 'dim' }, `${where}, ${age(position.at, Date.parse(at))}`),
  )
}

function handedOverView({ handedOver, timezone }: TrackedStop): HTMLElement | null {
  if (!handedOver) return null
  const { signerName, reservation, reason, occurredAt, voidAt } = handedOver
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('receiverPage:handedOver.title')),
    h('p', {}, time(occurredAt, timezone)),
    signerName && h('p', {}, t('receiverPage:handedOver.by', { name: signerName })),
    (reservation ?? reason) && h('p', { class: 'dim' }, reservation ?? reason),
    voidAt && h('p', { class: 'notice' }, t('receiverPage:handedOver.void')),
  )
}

interface StopForms {
  /** The form of the hand-over, where it is open. */
  handOver: HTMLFormElement | null
  /** Opens it. */
  open: () => void
  receipt: HTMLFormElement
}

/** The whole page of a stop. */
export function stopView(page: TrackedStop, { handOver: form, open, receipt }: StopForms): HTMLElement {
  const { shown, handOver, timezone, driver } = page
  const isOpen = handOver === 'now' || handOver === 'again'
  return h(
    'main',
    { class: 'page-main' },
    h('h1', {}, sentence(page)),
    page.postponedReason && h('p', {}, page.postponedReason),
    h('p', { class: 'dim' }, page.address),
    driver && h('p', { class: 'dim' }, t('receiverPage:driver', { name: driver })),
    arrivalView(page),
    shown ? conditionsView(shown.conditions, shown.chart, timezone) : null,
    itemsView(page),
    form ?? (isOpen ? h('button', { class: 'main', click: open }, t(`receiverPage:handOver.${handOver}`)) : null),
    handOver === 'away'
      ? h('p', { class: 'dim' }, t(`receiverPage:handOver.${page.state === 'arrived' ? 'unseen' : 'away'}`))
      : null,
    handedOverView(page),
    page.mailsReceipt ? receipt : null,
    placeView(page),
    h('p', { class: 'dim' }, t('receiverPage:asOf', { time: time(page.at, timezone) })),
  )
}
