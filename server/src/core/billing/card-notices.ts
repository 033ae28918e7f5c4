import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Services } from '../../platform/services.ts'
import { cardsEnding, type EndingCard, noteCardEnd } from './card-queries.ts'
import { cardName } from './cards.ts'
import type { Settling } from './settling.ts'
import { tellPayers } from './tell-payers.ts'

/** So many days before its month is over it is said of a card, and said again. */
const noticeDays = { first: 30, again: 7 }
const dayMs = 86_400_000
const maxPerRun = 500

/** Tells of cards that end soon and pay for something by themselves: twice each. One that was late for the first is told of once. */
export async function tellOfCards(services: Services): Promise<void> {
  const now = services.clock.now()
  const found = await asPipeline(services.pool, ({ tx }) => cardsEnding(tx, noticeDays, now, maxPerRun))
  const failed = ({ company_id: companyId, id }: EndingCard, err: unknown) =>
    services.log.error({ err, companyId, card: id }, 'that a card ends could not be told')
  await eachApart(found, { failed }, (card) => tell(services, card, now))
}

async function tell(services: Services, ending: EndingCard, now: Date): Promise<void> {
  const { company_id: companyId, id, isAgain, ends_at: endsAt } = ending
  const isLast = endsAt.getTime() - now.getTime() <= noticeDays.again * dayMs
  const told: (() => void)[] = []
  await inTenant(services.pool, companyId, async (transaction) => {
    const of: Settling = { ...transaction, services, companyId, now, afterCommit: (work) => void told.push(work) }
    const card = await noteCardEnd(of, ending, isLast, now)
    if (!card) return
    const month = new Date(Date.UTC(card.exp_year, card.exp_month - 1)).toISOString()
    await tellPayers(of, `card-${id}-${month}${isAgain ? '-again' : ''}`, {
      what: 'cardEnds',
      card: cardName(card),
      month,
    })
  })
  for (const each of told) each()
}
