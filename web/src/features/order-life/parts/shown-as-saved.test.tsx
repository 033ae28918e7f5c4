// @vitest-environment page
import { orders } from '@isotherm/contract/order-calls.ts'
import type { OrderDetails, OrderReceiver } from '@isotherm/contract/orders.ts'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { keyOf, queryClient } from '../../../lib/query.ts'
import { eventually, find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { EndDialog } from './end-dialog.tsx'
import { StartDialog } from './start-dialog.tsx'
import { SnoozeDialog } from './stop-dialogs.tsx'

afterEach(leave)

const order = { id: '7', trackingCode: 'Q6TJ', state: 'new', version: 1, receiverList: [] } as unknown as OrderDetails
const receiver = { id: '3', party: { name: 'Clinic' } } as OrderReceiver
const key = keyOf(orders.one, { params: { id: '7' } })

type Content = (onClose: () => void) => ReactNode
const dialogs: [name: string, content: Content][] = [
  ['starts it', (onClose) => <StartDialog order={order} onClose={onClose} />],
  ['ends it', (onClose) => <EndDialog order={order} onClose={onClose} />],
  ['cancels it', (onClose) => <CancelDialog order={order} onClose={onClose} />],
  ['puts a stop off', (onClose) => <SnoozeDialog orderId="7" receiver={receiver} onClose={onClose} />],
]

test.each(dialogs)(
  'once the dialog that %s is closed, the order is shown as it was answered',
  async (_what, content) => {
    logInAs('admin')
    serve(({ path }) => ({
      payload: path.endsWith('/fit') ? { level: 'green', refusal: null, warnings: [] } : { ...order, version: 2 },
    }))
    const atClose: unknown[] = []
    await show(
      content(() => atClose.push(queryClient.getQueryData(key))),
      { texts: ['orderLife', 'orders'] },
    )
    // The cache goes with what was shown before.
    queryClient.setQueryData(key, order)
    const button = await find('button[type=submit]')
    button.click()
    await eventually(() => expect(atClose).toMatchObject([{ version: 2 }]))
  },
)
