import type { FoundPlace } from '@isotherm/contract/places.ts'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { OrderValues } from '../order-values.ts'

export type OrderFields = UseFormReturnType<OrderValues>

/** The search of places and the choice on the map, which the page has from elsewhere. */
export interface PlaceTools {
  /** `onFound` gets the chosen place. */
  search: (onFound: (place: FoundPlace) => void) => ReactNode
  /** The path of the stop whose place the next click on the map is: "pickup", "receivers.0.stop". */
  pinning: string | null
  pin: (path: string | null) => void
}
