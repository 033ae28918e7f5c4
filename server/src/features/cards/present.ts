import type { Card } from '@isotherm/contract/cards.ts'
import type { CardRow, CardUses } from '../../core/billing/card-queries.ts'
import { hasExpired } from '../../core/billing/cards.ts'

/** A card that expires within so long is pointed out. */
const soonMs = 45 * 86_400_000

export function presentCard(row: CardRow, uses: CardUses[], now: Date): Card {
  const used = uses.find(({ card_id }) => card_id === row.id)
  const isOver = hasExpired(row, now)
  return {
    id: row.id,
    brand: row.brand,
    last4: row.last4,
    expMonth: row.exp_month,
    expYear: row.exp_year,
    bank: row.bank,
    state: row.state !== 'active' ? 'refused' : isOver ? 'expired' : 'usable',
    reason: row.reason,
    expiresSoon: !isOver && hasExpired(row, new Date(now.getTime() + soonMs)),
    isDefault: row.is_default,
    renews: used?.subscriptions ?? 0,
    topsUp: used?.topups ?? 0,
  }
}
