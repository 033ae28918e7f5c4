import type { WalletKind } from '@isotherm/contract/units.ts'
import { maxUnitsBought, type UnitOffer, type UnitOffers, wallet } from '@isotherm/contract/wallet.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useCall } from '../../lib/query.ts'
import type { PaidBy } from '../../shared/payment/pay-by-field.tsx'

/** The choice of any number, beside those of bundles. */
export const anyNumber = 'any'
const quoteAfterMs = 300

/** `choice` is the units of a bundle, or any number, which is then typed; empty until somebody chooses. */
export interface Chosen extends PaidBy {
  choice: string
  units: string | number
}

const isNumber = (units: number) => Number.isInteger(units) && units >= 1 && units <= maxUnitsBought

/** Until somebody chooses it is the smallest bundle. */
export const choiceOf = ({ choice }: Chosen, offers: UnitOffers | undefined): string =>
  choice || String(offers?.bundles[0]?.units ?? anyNumber)

interface ChosenPrice {
  units: number
  /** Null while it is not known. */
  price: UnitOffer['price'] | null
  /** A bundle of more units that costs less. */
  cheaper: UnitOffer | null
}

/** The number of units that is chosen, with its price: of any number it is asked for once nobody types. */
export function useChosenPrice(kind: WalletKind, chosen: Chosen, offers: UnitOffers | undefined): ChosenPrice {
  const choice = choiceOf(chosen, offers)
  const isCustom = choice === anyNumber
  const units = Number(isCustom ? chosen.units : choice) || 0
  const [asked] = useDebouncedValue(units, quoteAfterMs)
  const { data } = useCall(wallet.price, { query: { kind, units: asked } }, { enabled: isCustom && isNumber(asked) })
  if (!isCustom)
    return { units, price: offers?.bundles.find((one) => one.units === units)?.price ?? null, cheaper: null }
  const quote = asked === units ? data?.quote : undefined
  return { units, price: quote?.price ?? null, cheaper: quote?.cheaper ?? null }
}
