import { NewOrder } from '@isotherm/contract/new-order.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import type { z } from 'zod'
import { useCall } from '../../lib/query.ts'

/** Typing is over when nothing changed for so long. */
const restMs = 600

/** The price and the warnings of an order as it is typed: asked for once it may be sent. */
export function useCheckedOrder(body: z.input<typeof NewOrder>) {
  // As text: the same order asked again is no question.
  const [typed] = useDebouncedValue(JSON.stringify(body), restMs)
  const asked = useMemo(() => {
    const order = JSON.parse(typed) as z.input<typeof NewOrder>
    return NewOrder.safeParse(order).success ? order : null
  }, [typed])
  const answer = useCall(
    orders.validate,
    { body: asked ?? body },
    { enabled: asked !== null, keepPrevious: true, isQuiet: true },
  )
  return { ...answer, isAsked: asked !== null }
}
