// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { OrderHandovers } from './order-handovers.tsx'

afterEach(leave)
logInAs('admin')

const receiver = (id: string, name: string) => ({
  ...{ id, party: { name }, items: [], handedOverAt: null, outcome: null },
  stop: { timezone: 'Africa/Lagos' },
})
const handOver = (id: string, receiverId: string) => ({
  ...{ id, receiverId, outcome: 'delivered', conditions: null, photos: [{ id: `photo-${id}` }] },
  ...{ voidAt: null, readingsAddedAt: null, signerName: 'Ada Obi', by: 'Musa', source: 'person' },
  ...{ occurredAt: '2026-11-27T22:59:00Z', recordedAt: '2026-11-27T22:59:00Z', reservation: null, reason: null },
  ...{ signatureSha256: 'ab', receiptSha256: 'cd', receiptMails: [] },
})

test('what each hand-over can be asked for names its receiver', async () => {
  serve(() => ({ payload: [handOver('1', '3'), handOver('2', '4')] }))
  const order = {
    ...{ id: '7', trackingCode: '5K23-JJ99-T', state: 'completed', timezone: 'Africa/Lagos' },
    receiverList: [receiver('3', 'Folake Ojo'), receiver('4', 'Tunde Alabi')],
  }
  await show(<OrderHandovers order={order as never} />, { texts: ['orderLinks'] })
  await find('button', 'Tunde Alabi')
  const names = [...document.querySelectorAll('li button')].map((each) => each.getAttribute('aria-label'))
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('Download the receipt: Tunde Alabi')
})
