import type { NewOrder } from '@isotherm/contract/new-order.ts'
import { typedPhone } from '../../core/company/phones.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import type { OrderFacts } from './draft-facts.ts'
import type { PlacedStop } from './stop-times.ts'

/** The phones of the sender and the receivers as E.164: one without its country's code is of the company's country, or else of the stop's. */
export function phonesOf(
  { company, isPhoneStrict }: Pick<OrderFacts, 'company' | 'isPhoneStrict'>,
  { sender, receivers }: NewOrder,
  { pickup, stops }: { pickup: PlacedStop; stops: readonly PlacedStop[] },
  faults: Faults,
): { sender: string | null; receivers: (string | null)[] } {
  const read = (path: string, typed: string | null, country: string | undefined): string | null => {
    if (typed === null) return null
    const number = typedPhone(isPhoneStrict, typed, company.country, country)
    if (number === null) faults.add(path, 'format.phone')
    return number
  }
  return {
    sender: read('sender.phone', sender.phone, pickup.country),
    receivers: receivers.map(({ phone }, index) => read(`receivers.${index}.phone`, phone, stops[index]?.country)),
  }
}
