// @vitest-environment page
import { limits } from '@isotherm/contract/limits.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { find, leave, logInAs, serve, show } from '../../test/show.tsx'
import { PaymentPanel } from './payment-panel.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})
logInAs('admin')

const at = '2026-11-20T12:00:00.000Z'
const payment = {
  ...{ id: '9', state: 'succeeded', url: null, reason: null, amount: 550_000, currency: 'NGN', transfer: null },
  ...{ bought: { kind: 'sms', units: 1000 }, plan: null, invoice: null, cardKept: null, createdAt: at, closesAt: at },
}

test.each([
  ['that units came goes by itself after 7 s', payment, 1],
  ['that a payment of units failed stays', { ...payment, state: 'failed' }, 0],
  ['that a plan is paid stays', { ...payment, bought: null, plan: { name: 'Fleet', billing: 'monthly' } }, 0],
])('the message %s', async (_what, answer, times) => {
  serve(() => ({ payload: answer }))
  const closed = vi.fn()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await show(<PaymentPanel id="9" onClose={closed} />, { texts: ['wallet'] })
  await find('button', 'Close')
  vi.advanceTimersByTime(limits.walletMessageMs - 1000)
  expect(closed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(closed).toHaveBeenCalledTimes(times)
})
