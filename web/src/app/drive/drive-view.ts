import type { DrivenStop, DriverPage } from '@isotherm/contract/order-links.ts'
import { toneOf } from '../link-pages/conditions-view.ts'
import { h, s } from '../link-pages/dom.ts'
import { routeLink } from '../link-pages/map-link.ts'
import { plannedFor } from '../link-pages/planned-for.ts'
import { age, celsius, clock, ends, isOneDay, number, t, time } from '../link-pages/words.ts'
import type { Refused } from './store.ts'
import { type Next, nextOf } from './with-waiting.ts'

export interface DriveState {
  page: DriverPage
  /** How many acts wait to be sent. */
  waiting: number
  refused: readonly Refused[]
  isLost: boolean
  form: HTMLFormElement | null
  /** The stop whose code for the receiver's camera is shown. */
  qrOf: number | null
  isDenied: boolean
  /** The phone could not keep the last act. */
  isFull: boolean
}
export interface DriveActs {
  act(next: Next): void
  toggleQr(stop: DrivenStop): void
  forget(refused: Refused): void
  agree(agrees: boolean): void
}

/** The temperature, fixed on top. */
function barView({ stops, at }: DriverPage, next: Next): HTMLElement | null {
  const stop = [next.stop, ...stops].find((one) => one?.shown?.conditions.now)
  const conditions = stop?.shown?.conditions
  if (!conditions?.now) return null
  return h(
    'div',
    { class: 'bar', 'data-tone': toneOf(conditions) },
    h('strong', {}, celsius(conditions.now.temperatureC)),
    h(
      'span',
      { class: 'bar-words' },
      h('span', {}, t(`receiverPage:verdict.${conditions.verdict}`)),
      h('span', { class: 'dim' }, age(conditions.now.at, Math.max(Date.now(), Date.parse(at)))),
    ),
  )
}

/** Acts that wait, and acts that were not kept or not taken. */
function waitingView({ waiting, refused, isLost, isFull }: DriveState, { forget }: DriveActs): HTMLElement | null {
  if (waiting === 0 && refused.length === 0 && !isLost && !isFull) return null
  return h(
    'section',
    { class: 'notice', role: 'status' },
    isFull && h('p', {}, t('driverPage:notKept')),
    isLost && h('p', {}, t('driverPage:lost')),
    waiting > 0 && h('p', {}, t('driverPage:waiting', { count: waiting })),
    ...refused.map((one) =>
      h(
        'p',
        {},
        t('driverPage:refused', { reason: one.message }),
        h('button', { class: 'plain', click: () => forget(one) }, t('driverPage:seen')),
      ),
    ),
  )
}

function itemsView({ items }: DrivenStop): HTMLElement {
  return h(
    'ul',
    { class: 'items' },
    ...items.map(({ name, quantity, note }) =>
      h('li', {}, `${number(quantity)} × ${name}`, note && h('p', { class: 'dim' }, note)),
    ),
  )
}

const expected = ({ eta, timezone }: DrivenStop): string | null => {
  if (!eta) return null
  const isToday = (at: string) => isOneDay(eta.asOf, at, timezone)
  const both = ends(eta.from, eta.to, timezone)
  return t('driverPage:arrival', {
    from: isToday(eta.from) ? clock(eta.from, timezone) : both.from,
    to: isToday(eta.to) ? clock(eta.to, timezone) : both.to,
  })
}

function stopCard(stop: DrivenStop, qrOf: number | null, { toggleQr }: DriveActs): HTMLElement {
  const isQrOpen = qrOf === stop.stop
  const [agreed, arrival] = [plannedFor(stop), expected(stop)]
  return h(
    'section',
    { class: 'card' },
    h('h1', {}, stop.name),
    stop.company && h('p', {}, stop.company),
    h('p', {}, stop.address),
    agreed && h('p', {}, agreed),
    arrival && h('p', {}, arrival),
    itemsView(stop),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button', href: routeLink(stop.place) }, t('driverPage:route')),
      stop.phone && h('a', { class: 'button', href: `tel:${stop.phone}` }, t('driverPage:call')),
    ),
    stop.doorQr &&
      h(
        'button',
        { class: 'plain', click: () => toggleQr(stop) },
        t(isQrOpen ? 'driverPage:hideQr' : 'driverPage:showQr'),
      ),
    stop.doorQr && isQrOpen ? qrView(stop.doorQr) : null,
  )
}

/** The code for the receiver's camera, dark on white in any colour scheme. */
function qrView(rows: readonly string[]): HTMLElement {
  const squares = rows.flatMap((row, y) => [...row].flatMap((sign, x) => (sign === '1' ? [`M${x} ${y}h1v1h-1z`] : [])))
  return h(
    'div',
    { class: 'qr' },
    s(
      'svg',
      { viewBox: `-2 -2 ${rows.length + 4} ${rows.length + 4}`, role: 'img', 'aria-label': t('driverPage:qr') },
      s('path', { d: squares.join(''), fill: '#14191f' }),
    ),
  )
}

function otherStops(stops: readonly DrivenStop[]): HTMLElement | null {
  if (stops.length === 0) return null
  const line = (stop: DrivenStop) =>
    h(
      'li',
      {},
      h('strong', {}, `${stop.stop}. ${stop.name}`),
      h(
        'p',
        { class: 'dim' },
        stop.postponedUntil
          ? t('driverPage:postponed', { until: time(stop.postponedUntil, stop.timezone) })
          : t(`driverPage:state.${stop.state}`),
      ),
    )
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('driverPage:stops')),
    h('ul', { class: 'items' }, ...stops.map(line)),
  )
}

/** The driver's own choice whether the phone tells its position, until the trip is over. */
function positionView({ page, isDenied, isLost }: DriveState, { agree }: DriveActs): HTMLElement | null {
  const { tellsPosition, state } = page
  if (!('geolocation' in navigator) || (state !== 'new' && state !== 'inProgress')) return null
  return h(
    'section',
    { class: 'card' },
    h('p', { class: 'dim' }, t(tellsPosition ? 'driverPage:position.agreed' : 'driverPage:position.ask')),
    tellsPosition && isDenied && h('p', { role: 'alert' }, t('driverPage:position.denied')),
    h(
      'button',
      { class: 'plain', disabled: isLost, click: () => agree(!tellsPosition) },
      t(tellsPosition ? 'driverPage:position.end' : 'driverPage:position.agree'),
    ),
  )
}

/** The driver's page: the next stop, one big button that is the next right thing, and what waits to be sent. */
export function driveView(state: DriveState, acts: DriveActs): HTMLElement[] {
  const { page, form, qrOf } = state
  const next = nextOf(page)
  const here =
    next.what === 'depart'
      ? page.stops.find(({ settledAt, postponedUntil }) => !settledAt && !postponedUntil)
      : next.stop
  const start = next.what === 'start' ? pickupCard(page) : null
  const done =
    next.what === 'nothing' ? h('section', { class: 'card' }, h('h1', {}, t(`driverPage:over.${page.state}`))) : null
  const button =
    next.what === 'nothing' || form
      ? null
      : h(
          'button',
          { class: 'main', click: () => acts.act(next) },
          t(`driverPage:do.${next.what}`, { name: next.stop?.name ?? '' }),
        )
  return [
    barView(page, next),
    waitingView(state, acts),
    page.note ? h('p', { class: 'card' }, page.note) : null,
    start ?? done ?? (here ? stopCard(here, qrOf, acts) : null),
    form,
    button,
    otherStops(page.stops.filter((stop) => stop !== here)),
    positionView(state, acts),
    h('p', { class: 'dim' }, t('driverPage:asOf', { code: page.trackingCode, time: time(page.at, page.timezone) })),
  ].filter((part) => part !== null)
}

function pickupCard({ sender, pickup, pickupAt, timezone }: DriverPage): HTMLElement {
  return h(
    'section',
    { class: 'card' },
    h('h1', {}, t('driverPage:pickup', { name: sender.name })),
    h('p', {}, sender.address),
    pickupAt && h('p', {}, time(pickupAt, timezone)),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button', href: routeLink(pickup) }, t('driverPage:route')),
      sender.phone && h('a', { class: 'button', href: `tel:${sender.phone}` }, t('driverPage:call')),
    ),
  )
}
