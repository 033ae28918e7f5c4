import { type Card, cards } from '@isotherm/contract/cards.ts'
import { wallet } from '@isotherm/contract/wallet.ts'
import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { cardName, cardUntil } from '../../../shared/payment/card-text.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import classes from './money.module.css'

/** A saved card: whether it can be charged, what for, and its end. */
export function SavedCard({ card }: { card: Card }) {
  const { t } = useTranslation('wallet')
  const mayChange = useCan('payments.addOrEdit')
  const { id, state, reason, isDefault, expiresSoon, renews, topsUp } = card
  const name = cardName(t, card)
  const choose = async () => {
    await call(cards.change, { params: { id }, body: { isDefault: true } }, { toastAll: true })
    toastSuccess(t('cards.changed'))
    await refetchCalls(cards.list)
  }
  const remove = () =>
    confirm({
      title: t('cards.askRemove', { card: name }),
      text: [t('cards.askText'), renews > 0 && t('cards.askRenews'), topsUp > 0 && t('cards.askTopsUp')]
        .filter(Boolean)
        .join(' '),
      action: t('cards.remove'),
      destructive: true,
      async run() {
        await call(cards.remove, { params: { id } })
        toastSuccess(t('cards.removed'))
        await refetchCalls(cards.list, wallet.balances)
      },
    })
  return (
    <Panel title={name}>
      <div className={classes.lines}>
        {state === 'usable' && !expiresSoon && <StateDot tone="ok" label={t('cards.usable')} />}
        {state === 'usable' && expiresSoon && <StateDot tone="warning" label={t('cards.expiresSoon')} />}
        {state === 'expired' && <StateDot tone="warning" label={t('cards.expired')} />}
        {state === 'refused' && <StateDot tone="warning" label={t('cards.refused', { reason: reason ?? '' })} />}
        <span>{cardUntil(t, card)}</span>
        {isDefault && <span>{t('cards.default')}</span>}
        {renews > 0 && <span>{t('cards.renews', { count: renews })}</span>}
        {topsUp > 0 && <span>{t('cards.topsUp')}</span>}
      </div>
      {mayChange && (
        <Group gap="sm">
          {!isDefault && state === 'usable' && (
            <Button
              variant="default"
              aria-label={t('cards.makeDefaultNamed', { card: name })}
              onClick={() => void choose().catch(() => undefined)}
            >
              {t('cards.makeDefault')}
            </Button>
          )}
          <Button variant="default" aria-label={t('cards.removeNamed', { card: name })} onClick={remove}>
            {t('cards.remove')}
          </Button>
        </Group>
      )}
    </Panel>
  )
}
