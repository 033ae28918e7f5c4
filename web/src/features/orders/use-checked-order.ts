import { type CheckedOrder, NewOrder } from '@isotherm/contract/new-order.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import type { z } from 'zod'
import { useCall } from '../../lib/query.ts'

/** Typing is over when nothing changed for so long. */
const restMs = 600

/** The price and the warnings of an order as it is typed: asked for once it may be sent. `orderId`: the one that changes. */
export function useCheckedOrder(body: z.input<typeof NewOrder>, orderId: string | undefined) {
  // As text: the same order asked again is no question.
  const [typed] = useDebouncedValue(JSON.stringify(body), restMs)
  const asked = useMemo(() => {
    const order = JSON.parse(typed) as z.input<typeof NewOrder>
    return NewOrder.safeParse(order).success ? order : null
  }, [typed])
  const answer = useCall(
    orders.validate,
    { body: { ...(asked ?? body), orderId } },
    { enabled: asked !== null, keepPrevious: true, isQuiet: true },
  )
  return {
    ...answer,
    isAsked: asked !== null,
    zoneOf: useZones(asked, answer.isPlaceholderData ? undefined : answer.data),
  }
}

interface Place {
  lat: number | null
  lon: number | null
  timezone?: string | undefined
}
const keyOf = ({ lat, lon }: Place) => `${lat} ${lon}`

/** The zone of a place, as far as the server has said it: a fault elsewhere in the form does not take it away. */
function useZones(asked: z.input<typeof NewOrder> | null, checked: CheckedOrder | undefined) {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    if (!asked || !checked) return
    const places = [asked.pickup, ...asked.receivers.map(({ stop }) => stop)]
    const zones = [checked.pickup, ...checked.receivers].map(({ timezone }) => timezone)
    setKnown((before) => new Map([...before, ...places.map((place, at) => [keyOf(place), zones[at] ?? ''] as const)]))
  }, [asked, checked])
  return (place: Place): string | null => place.timezone || known.get(keyOf(place)) || null
}
