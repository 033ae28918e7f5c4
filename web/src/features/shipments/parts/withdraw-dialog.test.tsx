// @vitest-environment page
import { idempotencyKeyHeader } from '@isotherm/contract/call.ts'
import type { ShipmentDetails, ShipmentEvent } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, field, find, leave, logInAs, show, type } from '../../../test/show.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'

afterEach(leave)

test('what withdraws a milestone is red, as everything is that takes something away', async () => {
  logInAs('admin')
  await show(
    <WithdrawDialog
      shipment={{ id: '7' } as ShipmentDetails}
      event={{ id: '9', kind: 'departed' } as ShipmentEvent}
      onClose={() => undefined}
    />,
    { texts: ['shipments'] },
  )
  expect((await find('button[type=submit]', /^Withdraw/)).getAttribute('style')).toContain('red')
  expect((await find('button', 'Cancel')).getAttribute('style') ?? '').not.toContain('red')
})

test('a withdrawal that is sent again after a lost answer is the same request, and one with another reason another', async () => {
  logInAs('admin')
  const keys: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get(idempotencyKeyHeader))
    throw new TypeError('the answer was lost')
  })
  const dialog = (
    <WithdrawDialog
      shipment={{ id: '7' } as ShipmentDetails}
      event={{ id: '9', kind: 'departed' } as ShipmentEvent}
      onClose={() => undefined}
    />
  )
  await show(dialog, { texts: ['shipments'] })
  const reason = await field('Reason')
  type(reason, 'Another container')
  const send = async (sent: number) => {
    const button = await find('button:not([disabled], [data-loading])', /^Withdraw/)
    button.click()
    await eventually(() => expect(keys).toHaveLength(sent))
  }
  await send(1)
  await send(2)
  type(reason, 'Another vessel')
  await send(3)
  expect(keys[0]).toMatch(/\S{8,}/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})
