import type { DrivenStop, DriverPage } from '@isotherm/contract/order-links.ts'
import '../link-pages/link-pages.css'
import { newRequestId } from '../../lib/request-id.ts'
import { ask, tokenOfPage } from '../link-pages/ask.ts'
import { askBeforeLeaving } from '../link-pages/ask-before-leaving.ts'
import { drawAnew, h, pageRoot } from '../link-pages/dom.ts'
import { handOverForm } from '../link-pages/hand-over-form.ts'
import { languageChoice, loadWords, t } from '../link-pages/words.ts'
import { driveView } from './drive-view.ts'
import { keepForOffline } from './keep-for-offline.ts'
import { followPhone } from './phone-position.ts'
import { dropPositions, sendAgreement, sendPositions } from './send-positions.ts'
import { sendWaiting } from './send-waiting.ts'
import { add, all, keepPage, keptPage, type Refused, remove, type Waiting } from './store.ts'
import { type Next, withWaiting } from './with-waiting.ts'

/** A page that nobody looks at asks nothing: data and battery are the driver's own. */
const everyMs = 60_000
/** Conditions older than this are not what is signed for. */
const shownMs = 10 * 60_000
const namespaces = ['receiverPage', 'driverPage']
const token = tokenOfPage('drive')
const root = pageRoot()

let page: DriverPage | null = null
let waiting: Waiting[] = []
let refused: Refused[] = []
let isGone = false
let isLost = false
/** The stop whose code for the receiver's camera is shown. */
let qrOf: number | null = null
/** The phone itself does not let its position be known. */
let isDenied = false
/** The phone could not keep the last act: its storage is full. */
let isFull = false
let form: HTMLFormElement | null = null

/** A form that is on the screen is left alone: moved, it would lose the focus, the phone's keyboard and the stroke of a signature. */
function draw(): void {
  if (isGone || !form?.isConnected) drawAll()
}

function drawAll(): void {
  document.title = t('driverPage:title')
  drawAnew(root, () => [pageView()])
}

function pageView(): HTMLElement {
  const top = h('header', { class: 'top' }, h('span', {}, page?.company ?? ''), languageChoice(namespaces, drawAll))
  const own = page && waiting.filter(({ code }) => code === page?.trackingCode)
  const body =
    page && !isGone
      ? driveView(
          {
            page: withWaiting(page, own ?? []),
            waiting: waiting.length,
            refused,
            isLost,
            form,
            qrOf,
            isDenied,
            isFull,
          },
          { act, toggleQr, forget, agree },
        )
      : [
          h(
            'section',
            { class: 'card' },
            h('h1', {}, t(isGone ? 'receiverPage:gone.title' : 'driverPage:lost')),
            isGone && h('p', {}, t('receiverPage:gone.text')),
            waiting.length > 0 && h('p', {}, t('driverPage:waiting', { count: waiting.length })),
          ),
        ]
  return h('div', { class: 'page' }, top, h('main', { class: 'page-main' }, ...body))
}

async function readQueue(): Promise<void> {
  ;[waiting, refused] = [await all('waiting'), await all('refused')]
}

/** Keeps an act on the phone first, then sends what waits; false where the phone could not keep it. */
async function keep(one: Waiting): Promise<boolean> {
  try {
    await add('waiting', one)
  } catch {
    return false
  }
  isFull = false
  await readQueue()
  draw()
  void synchronise()
  return true
}

async function keepAct(one: Waiting): Promise<void> {
  if (await keep(one)) return
  isFull = true
  draw()
}

function act(next: Next): void {
  if (!page || next.what === 'nothing') return
  const kind = next.what
  if (kind === 'handOver') openForm(next.stop)
  else
    void keepAct({
      ...{ what: 'act', code: page.trackingCode, token, at: new Date().toISOString() },
      act: { kind, stop: next.stop?.stop ?? null, requestId: newRequestId() },
    })
}

function openForm(stop: DrivenStop): void {
  const { shown } = stop
  const isFresh = shown !== null && !isLost && Date.now() - Date.parse(shown.conditions.to) < shownMs
  form = handOverForm({
    ...{ items: stop.items, shown: isFresh ? shown : null, needsSignature: false },
    outcomes: ['delivered', 'partlyDelivered', 'refused', 'failed'],
    cancel: closeForm,
    async send(filled) {
      const isKept = await keep({
        ...{ what: 'handOver', stop: stop.stop, filled, token, at: filled.facts.at },
        code: page?.trackingCode ?? '',
      })
      // The form keeps what was signed.
      if (!isKept) return t('driverPage:notKept')
      closeForm()
      return null
    },
  })
  draw()
  form.scrollIntoView()
  form.focus({ preventScroll: true })
}

function closeForm(): void {
  form = null
  draw()
}

function toggleQr({ stop }: DrivenStop): void {
  qrOf = qrOf === stop ? null : stop
  draw()
}

async function forget({ id }: Refused): Promise<void> {
  await remove('refused', id ?? 0)
  await readQueue()
  draw()
}

/** Tells the position of this phone from now on, or no more: only with a network, so that the answer is the truth. */
async function agree(agrees: boolean): Promise<void> {
  if (!page) return
  if (!agrees) await dropPositions(page.trackingCode)
  if (await sendAgreement({ token, agrees })) await synchronise()
  else {
    isLost = true
    draw()
  }
}

/** The phone is followed while the trip lasts and the driver agrees, with what waits to be sent counted in. */
function follow(): void {
  const code = page?.trackingCode ?? ''
  const now = page && withWaiting(page, waiting)
  followPhone(!isGone && now?.tellsPosition === true && now.state === 'inProgress', {
    tell: (position) => void add('positions', { code, ...position }).catch(() => undefined),
    refused() {
      isDenied = true
      draw()
    },
  })
}

let timer: ReturnType<typeof setTimeout> | undefined
let isFirst = true

/** Sends what waits, then reads the page anew. */
async function synchronise(): Promise<void> {
  clearTimeout(timer)
  const isSent = await sendWaiting({ token, code: page?.trackingCode ?? null }, (done) => {
    // Else, where the page cannot be read right after, the same would be asked of the driver again.
    if (page) page = withWaiting(page, [done])
  }).catch(() => true) // A phone that keeps nothing shows the page all the same.
  await readQueue()
  if (isSent) await read()
  else isLost = true
  follow()
  if (page && !isLost) await sendPositions(token, page.trackingCode)
  draw()
  if (document.visibilityState === 'visible' || waiting.length > 0) timer = setTimeout(synchronise, everyMs)
}

async function read(): Promise<void> {
  const answer = await ask<DriverPage>('/drive', { token, isOpening: isFirst })
  isLost = answer.state === 'failed'
  isGone = answer.state === 'refused'
  if (answer.state !== 'ok') return
  isFirst = false
  page = answer.payload
  // A full phone shows it all the same.
  await keepPage(token, page).catch(() => undefined)
}

document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void synchronise())
addEventListener('online', () => void synchronise())
// Another link in the same tab is another page.
addEventListener('hashchange', () => location.reload())
askBeforeLeaving(() => form !== null)
await loadWords(namespaces)
page = await keptPage(token)
await readQueue()
if (page) draw()
await synchronise()
await keepForOffline()
