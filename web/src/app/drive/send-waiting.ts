import { type Answer, ask } from '../link-pages/ask.ts'
import { formOf } from '../link-pages/hand-over-form.ts'
import { add, all, remove, type Waiting } from './store.ts'

function sendOne(waiting: Waiting, token: string): Promise<Answer<unknown>> {
  if (waiting.what === 'act') return ask('/drive/acts', { token, at: waiting.at, ...waiting.act })
  return ask('/drive/handover', formOf(waiting.filled, { token, stop: String(waiting.stop) }))
}

/** The receiver is gone by then: what was signed is told without what was shown. */
const withoutShown = (waiting: Waiting): Waiting =>
  waiting.what === 'act'
    ? waiting
    : { ...waiting, filled: { ...waiting.filled, facts: { ...waiting.filled.facts, shown: null } } }

async function sendFirst(waiting: Waiting, token: string): Promise<Answer<unknown>> {
  const answer = await sendOne(waiting, token)
  const isChanged = answer.state === 'refused' && answer.code === 'HANDOVER_CHANGED'
  return isChanged ? sendOne(withoutShown(waiting), token) : answer
}

interface Here {
  token: string
  /** The order that the page shows. */
  code: string | null
}

/** Asks for what waits after each answer: more may have come meanwhile. */
async function sendAll({ token, code }: Here, onDone: (done: Waiting) => void): Promise<boolean> {
  /** Orders whose link is over: what waits for them stays, until the driver opens another link of the order. */
  const closed = new Set<string>()
  for (;;) {
    const waiting = (await all('waiting')).find((one) => !closed.has(one.code))
    if (!waiting) return true
    // A link that was replaced meanwhile is that of the page.
    const answer = await sendFirst(waiting, waiting.code === code ? token : waiting.token)
    if (answer.state === 'failed') return false
    if (answer.state === 'refused' && answer.code === 'LINK_INVALID') {
      closed.add(waiting.code)
      continue
    }
    if (answer.state === 'ok') onDone(waiting)
    else await add('refused', { code: waiting.code, at: waiting.at, message: answer.message })
    await remove('waiting', waiting.id ?? 0)
  }
}

let running: Promise<boolean> | undefined

/**
 * Sends all that waits, in the order in which it happened; `onDone` hears of each that the server has done. False where there is no network:
 * it is to be tried again.
 */
export function sendWaiting(here: Here, onDone: (done: Waiting) => void): Promise<boolean> {
  running ??= sendAll(here, onDone).finally(() => {
    running = undefined
  })
  return running
}
