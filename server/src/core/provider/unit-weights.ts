import { countryOfPhone } from '../../domain/phone-country.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** The units that each segment of a message to a number costs; null: it is not sent. */
export type WeightOf = (channel: string, phone: string) => number | null

/** The weights in force; 1 where the provider has set none. As the login role, or as pipeline. */
export async function unitWeightsAt(tx: Tx, now: Date): Promise<WeightOf> {
  const rows = await allRows<{ kind: string; country: string; weight: number | null }>(tx)`
    select kind, country, weight from unit_weights where valid_from <= ${now} and (valid_to is null or valid_to > ${now})`
  const weights = new Map(rows.map(({ kind, country, weight }) => [`${kind} ${country}`, weight]))
  return (channel, phone) => {
    const weight = weights.size > 0 ? weights.get(`${channel} ${countryOfPhone(phone)}`) : undefined
    return weight === undefined ? 1 : weight
  }
}
