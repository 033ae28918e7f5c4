import { unitWeightsAt } from '../../core/provider/unit-weights.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Message, skipped } from './messages.ts'

/** Decides what messages cost in the countries that they go to. One to a country that the provider has blocked is not sent. */
export async function weighed(tx: Tx, messages: readonly Message[], now: Date): Promise<readonly Message[]> {
  if (!messages.some(isCostly)) return messages
  const weightOf = await unitWeightsAt(tx, now)
  return messages.map((message) => {
    if (!isCostly(message)) return message
    const weight = weightOf(message.channel, message.address)
    if (weight === null) return { ...message, ...skipped('countryBlocked'), units: 0 }
    return { ...message, weight, units: message.units * weight }
  })
}

const isCostly = ({ units, state }: Message) => units > 0 && state !== 'skipped'
