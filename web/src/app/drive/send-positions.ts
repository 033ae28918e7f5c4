import type { DriverAgreement } from '@isotherm/contract/order-links.ts'
import { ask } from '../link-pages/ask.ts'
import { all, removeAll } from './store.ts'

/** The server takes no more at once. */
const batchSize = 500

/** Tells the positions of an order that wait, oldest first. Those of another order stay for its page. */
export async function sendPositions(token: string, code: string): Promise<void> {
  for (;;) {
    const waiting = (await all('positions')).filter((one) => one.code === code).slice(0, batchSize)
    if (waiting.length === 0) return
    const positions = waiting.map(({ at, lat, lon, accuracyM }) => ({ at, lat, lon, accuracyM }))
    const answer = await ask('/drive/positions', { token, positions })
    if (answer.state === 'failed') return
    await removeAll(
      'positions',
      waiting.map(({ id }) => id ?? 0),
    )
  }
}

/** False where the server could not be told. */
export async function sendAgreement(told: DriverAgreement): Promise<boolean> {
  return (await ask('/drive/agreement', told)).state === 'ok'
}

/** Forgets what waits to be told of an order. */
export async function dropPositions(code: string): Promise<void> {
  const waiting = (await all('positions')).filter((one) => one.code === code)
  await removeAll(
    'positions',
    waiting.map(({ id }) => id ?? 0),
  )
}
