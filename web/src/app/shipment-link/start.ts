import type { FollowedShipment } from '@isotherm/contract/shipment-links.ts'
import '../link-pages/link-pages.css'
import { ask, tokenOfPage } from '../link-pages/ask.ts'
import { drawAnew, h, pageRoot } from '../link-pages/dom.ts'
import { senderView } from '../link-pages/sender.ts'
import { hasChosen, languageChoice, loadWords, t } from '../link-pages/words.ts'
import { openDocument } from './open-document.ts'
import { shipmentView } from './shipment-view.ts'

const everyMs = 60_000
const namespaces = ['shipmentPage']
const token = tokenOfPage('shipment-link')
const root = pageRoot()

let page: FollowedShipment | null = null
let isGone = false
let isLost = false
/** A document could not be opened. */
let isRefused = false

async function open(documentNo: number): Promise<void> {
  isRefused = !(await openDocument(token, documentNo))
  draw()
}

const draw = () => drawAnew(root, () => [pageView()])

function pageView(): HTMLElement {
  const choice = languageChoice(namespaces, draw, 'shipmentPage')
  const top = h('header', { class: 'top' }, senderView('/shipment-link/logo', token, page), choice)
  const lost = isLost && h('p', { class: 'notice', role: 'status' }, t('shipmentPage:lost'))
  const refused = isRefused && h('p', { class: 'notice', role: 'alert' }, t('shipmentPage:documents.failed'))
  const body = isGone
    ? h('main', { class: 'card' }, h('h1', {}, t('shipmentPage:gone.title')), h('p', {}, t('shipmentPage:gone.text')))
    : page && shipmentView(page, open)
  return h('div', { class: 'page' }, top, lost, refused, body)
}

let timer: ReturnType<typeof setTimeout> | undefined
let isFirst = true

async function next(): Promise<void> {
  clearTimeout(timer)
  const answer = await ask<FollowedShipment>('/shipment-link', { token, isOpening: isFirst })
  isLost = answer.state === 'failed'
  isGone = answer.state === 'refused'
  if (answer.state === 'ok') {
    page = answer.payload
    // The link may name a language; what was chosen here counts more.
    if (isFirst && page.locale && !hasChosen()) await loadWords(namespaces, page.locale)
    isFirst = false
    document.title = `${t('shipmentPage:title')} ${page.number}`
  }
  draw()
  timer = setTimeout(next, isGone ? everyMs * 10 : everyMs)
}

document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void next())
addEventListener('online', () => void next())
// Another link in the same tab is another page.
addEventListener('hashchange', () => location.reload())
await loadWords(namespaces)
document.title = t('shipmentPage:title')
await next()
