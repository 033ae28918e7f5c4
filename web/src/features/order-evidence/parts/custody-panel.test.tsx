// @vitest-environment page
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { CustodyPanel } from './custody-panel.tsx'

afterEach(leave)

const [from, to] = ['2026-11-20T06:00:00.000Z', '2026-11-20T12:00:00.000Z']
const stretch = { holder: { kind: 'carrier', name: 'Musa', receiverId: null }, from, to, basis: 'start', outMs: 0 }
const box = { id: '1', name: 'Box', role: 'cargo', stretches: [stretch] }

/** The panel of an order with this verdict, whose devices were never out of range. */
async function shown(order: { verdict: OrderDetails['verdict']; hiddenDevices: number }, devices: object[] = [box]) {
  logInAs('admin')
  serve(() => ({ payload: { from, to, ...order, devices, excursions: [], totals: [] } }))
  await show(<CustodyPanel order={{ id: '7', ...order } as OrderDetails} />, { texts: ['orderEvidence'] })
  await find('p', devices.length > 0 ? 'Box' : 'device')
  return {
    isProven: isShown('Never out of range'),
    isNeutral: isShown('That does not prove that the goods were always in range.'),
  }
}

test('custody of an order says that the goods were never out of range where that is proven', async () => {
  expect(await shown({ verdict: 'inRange', hiddenDevices: 0 })).toEqual({ isProven: true, isNeutral: false })
})

test.each([
  ['incomplete', 0],
  ['noLimits', 0],
  ['noData', 0],
  [null, 0],
  ['inRange', 1],
] as const)(
  'custody of an order claims nothing where the verdict is %s and %i devices are hidden',
  async (verdict, hidden) => {
    expect(await shown({ verdict, hiddenDevices: hidden })).toEqual({ isProven: false, isNeutral: true })
  },
)

test('custody of an order without devices says neither', async () => {
  expect(await shown({ verdict: null, hiddenDevices: 0 }, [])).toEqual({ isProven: false, isNeutral: false })
})
