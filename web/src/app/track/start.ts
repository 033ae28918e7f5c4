import type { TrackedStop, UnchangedStop } from '@isotherm/contract/order-links.ts'
import '../link-pages/link-pages.css'
import { ask, tokenOfPage } from '../link-pages/ask.ts'
import { askBeforeLeaving } from '../link-pages/ask-before-leaving.ts'
import { drawAnew, h, pageRoot } from '../link-pages/dom.ts'
import { formOf, handOverForm } from '../link-pages/hand-over-form.ts'
import { senderView } from '../link-pages/sender.ts'
import { languageChoice, loadWords, t } from '../link-pages/words.ts'
import { holdsAddress, receiptForm } from './receipt-form.ts'
import { stopView } from './stop-view.ts'

/** After a failure, and while a form is open. */
const everyMs = 30_000
const namespaces = ['receiverPage']
const token = tokenOfPage('track')
const root = pageRoot()

let page: TrackedStop | null = null
let isGone = false
let isLost = false
let form: HTMLFormElement | null = null
let receipt: HTMLFormElement
/** The refusal of the last try to sign, until the form is opened again. */
let refusal: string | null = null

function draw(): void {
  document.title = t('receiverPage:title')
  drawAnew(root, () => [pageView()])
}

function pageView(): HTMLElement {
  const top = h(
    'header',
    { class: 'top' },
    senderView('/track/logo', token, page),
    languageChoice(namespaces, translate),
  )
  const lost = isLost && h('p', { class: 'notice', role: 'status' }, t('receiverPage:lost'))
  const refused = refusal && h('p', { class: 'notice', role: 'alert' }, refusal)
  const body = isGone
    ? h('main', { class: 'card' }, h('h1', {}, t('receiverPage:gone.title')), h('p', {}, t('receiverPage:gone.text')))
    : page && stopView(page, { handOver: form, open, receipt })
  return h('div', { class: 'page' }, top, lost, refused, body)
}

/** Draws all of it in another language. */
function translate(): void {
  receipt = receiptForm(token)
  draw()
}

/** Opens the form of the hand-over, for the conditions that are on the screen now. */
function open(): void {
  if (!page) return
  refusal = null
  const { shown, items } = page
  form = handOverForm({
    ...{ items, shown, needsSignature: true },
    outcomes: ['delivered', 'partlyDelivered', 'refused'],
    cancel: close,
    async send(filled) {
      const answer = await ask<TrackedStop>('/track/handover', formOf(filled, { token }))
      if (answer.state === 'failed') return t('receiverPage:form.notSent')
      if (answer.state === 'ok') {
        page = answer.payload
        close()
        return null
      }
      if (answer.code === 'HANDOVER_CHANGED') {
        // Other conditions are on the screen from now on, and are signed for anew.
        form = null
        await next()
        refusal = answer.message
        draw()
      }
      return answer.message
    },
  })
  draw()
  form.scrollIntoView()
  form.focus({ preventScroll: true })
}

function close(): void {
  form = null
  draw()
}

let timer: ReturnType<typeof setTimeout> | undefined
let isFirst = true

async function next(): Promise<void> {
  clearTimeout(timer)
  // While somebody fills in the form, the conditions that they sign for stay on the screen; an address is typed to its end.
  if (form || receipt.contains(document.activeElement)) {
    timer = setTimeout(next, everyMs)
    return
  }
  const answer = await ask<TrackedStop | UnchangedStop>('/track', { token, isOpening: isFirst, stamp: page?.stamp })
  isLost = answer.state === 'failed'
  isGone = answer.state === 'refused'
  if (answer.state === 'ok') {
    isFirst = false
    const { payload } = answer
    page = 'isUnchanged' in payload ? page && { ...page, againS: payload.againS, at: payload.at } : payload
  }
  draw()
  timer = setTimeout(next, isGone ? everyMs * 10 : isLost || !page ? everyMs : page.againS * 1000)
}

document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void next())
addEventListener('online', () => void next())
// Another link in the same tab is another page.
addEventListener('hashchange', () => location.reload())
await loadWords(namespaces)
receipt = receiptForm(token)
askBeforeLeaving(() => form !== null || holdsAddress(receipt))
await next()
