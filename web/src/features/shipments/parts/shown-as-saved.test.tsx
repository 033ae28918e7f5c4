// @vitest-environment page
import { shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails, ShipmentEvent, ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test } from 'vitest'
import { keyOf, queryClient } from '../../../lib/query.ts'
import { eventually, field, find, leave, logInAs, serve, show, type } from '../../../test/show.tsx'
import { MilestoneDialog } from './milestone-dialog.tsx'
import { RollDialog } from './roll-dialog.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'

afterEach(leave)

const place = { timezone: 'Africa/Johannesburg' }
const before = { id: '7', state: 'pending', legs: [], events: [], origin: place, destination: place }
const shipment = before as unknown as ShipmentDetails
const key = keyOf(shipments.one, { params: { id: '7' } })

const reason = async () => type(await field('Reason'), 'Another container')

test.each([
  {
    dialog: 'a milestone',
    content: (onClose: () => void) => <MilestoneDialog shipment={shipment} onClose={onClose} />,
    fill: async () => {},
  },
  {
    dialog: 'a withdrawal',
    content: (onClose: () => void) => (
      <WithdrawDialog shipment={shipment} event={{ id: '9', kind: 'departed' } as ShipmentEvent} onClose={onClose} />
    ),
    fill: reason,
  },
  {
    dialog: 'a later departure',
    content: (onClose: () => void) => (
      <RollDialog shipment={shipment} leg={{ id: '3', mode: 'sea' } as ShipmentLeg} onClose={onClose} />
    ),
    fill: async () => {},
  },
])('once the dialog of $dialog is closed, the shipment is shown as it was answered', async ({ content, fill }) => {
  logInAs('admin')
  queryClient.setQueryData(key, shipment)
  serve(() => ({ payload: { ...before, state: 'ongoing' } }))
  const atClose: unknown[] = []
  await show(
    content(() => atClose.push(queryClient.getQueryData(key))),
    { texts: ['shipments'] },
  )
  // The cache goes with what was shown before.
  queryClient.setQueryData(key, shipment)
  await fill()
  const button = await find('button[type=submit]')
  button.click()
  await eventually(() => expect(atClose).toMatchObject([{ state: 'ongoing' }]))
})
