// @vitest-environment page
import type { TrackedStop } from '@isotherm/contract/order-links.ts'
import { expect, test } from 'vitest'
import { loadWords } from '../link-pages/words.ts'
import { stopView } from './stop-view.ts'

const page: TrackedStop = {
  ...{ company: 'Cold', logoVersion: null, driver: null, orderState: 'inProgress', address: 'Apapa', state: 'arrived' },
  ...{ windowFrom: null, windowBy: null, timezone: 'Africa/Lagos', eta: null, postponedUntil: null },
  ...{ postponedReason: null, arrivedAt: '2026-11-23T08:00:00.000Z', settledAt: null, items: [], shown: null },
  ...{ position: null, place: { lat: 6, lon: 3 }, handOver: 'away', handedOver: null, mailsReceipt: false },
  ...{ againS: 60, at: '2026-11-23T08:00:00.000Z', stamp: 'x' },
}
const text = (of: Partial<TrackedStop>) =>
  stopView({ ...page, ...of }, { handOver: null, open: () => undefined, receipt: document.createElement('form') })
    .textContent

test('a delivery that has arrived does not wait for the vehicle to arrive', async () => {
  await loadWords(['receiverPage'], 'en')
  expect(text({ state: 'waiting' })).toContain('once the vehicle has arrived')
  expect(text({})).not.toContain('once the vehicle has arrived')
  expect(text({})).toContain('Please sign with the driver.')
})
