import type { PayBy } from '@isotherm/contract/billing.ts'
import { type Card, cards } from '@isotherm/contract/cards.ts'
import { Checkbox, Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { cardName, cardUntil } from './card-text.ts'

/** The parts of a form that say how it is paid: `payBy` is a way, the id of a saved card, or empty. */
export interface PaidBy {
  payBy: string
  keepCard: boolean
}
export const notChosen: PaidBy = { payBy: '', keepCard: false }

/** The ways that a person may pay, saved cards before all else, and the one that is chosen: the first where nothing was. */
export function usePayBy({ payBy: chosen, keepCard }: PaidBy, ways: readonly PayBy[]) {
  const saved = useCall(cards.list)
  const usable = ways.includes('page') ? (saved.data?.cards.filter(({ state }) => state === 'usable') ?? []) : []
  const card = usable.find(({ id }) => id === chosen) ?? (chosen === '' ? usable[0] : undefined)
  const payBy: PayBy = card ? 'page' : (ways.find((way) => way === chosen) ?? ways[0] ?? 'page')
  const body = card ? { cardId: card.id } : payBy === 'page' ? { keepCard } : {}
  // Until the cards are known, a press would lead to the page of the provider in place of the card.
  const isKnown = !(ways.includes('page') && saved.isLoading)
  return { ways, usable, card, payBy, body, isKnown }
}

interface PayByFieldProps {
  choice: { ways: readonly PayBy[]; usable: readonly Card[]; card: Card | undefined; payBy: PayBy }
  onChoose: (payBy: string) => void
  /** The checkbox that keeps the card of a page. */
  keepCard: object
  keepCardLabel: string
  keepCardHelp?: string
}

export function PayByField({ choice, onChoose, keepCard, keepCardLabel, keepCardHelp }: PayByFieldProps) {
  const { t } = useTranslation('wallet')
  const { ways, usable, card, payBy } = choice
  return (
    <>
      {ways.length + usable.length > 1 && (
        <Radio.Group label={t('buy.payBy')} value={card?.id ?? payBy} onChange={onChoose}>
          <Stack gap="sm" mt="xs">
            {usable.map((one) => (
              <Radio key={one.id} value={one.id} label={cardName(t, one)} description={cardUntil(t, one)} />
            ))}
            {ways.map((way) => (
              <Radio key={way} value={way} label={t(`buy.ways.${way}`)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {!card && payBy === 'page' && <Checkbox label={keepCardLabel} description={keepCardHelp} {...keepCard} />}
    </>
  )
}
