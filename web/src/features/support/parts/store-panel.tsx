import { type StoreItem, support } from '@isotherm/contract/support.ts'
import { Button, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatMoney } from '../../../lib/money.ts'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { OrderDrawer } from './order-drawer.tsx'
import classes from './support.module.css'

/** The things that the provider sells, each with a way to ask for it. */
export function StorePanel() {
  const { t } = useTranslation('support')
  const answer = useCall(support.store)
  const mayAsk = useCan('payments.addOrEdit')
  const [asking, setAsking] = useState<StoreItem | null>(null)
  const { data } = answer
  return (
    <Panel title={t('store.title')} text={t('store.lead')}>
      {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!data && !answer.error && <Skeleton height={120} role="status" aria-label={t('common:list.loading')} />}
      {data?.items.length === 0 && <Text size="sm">{t('store.empty')}</Text>}
      {data && data.items.length > 0 && (
        <ul className={classes.rows}>
          {data.items.map((item) => (
            <li key={item.code} className={item.picture ? classes.pictured : undefined}>
              {/* Its name stands beside it. */}
              {item.picture && <img className={classes.picture} src={item.picture} alt="" loading="lazy" />}
              <span className={classes.name}>{item.name}</span>
              <p className={classes.words}>{item.text}</p>
              <span className={classes.foot}>
                <PriceText price={item.price} />
                {mayAsk && (
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={t('store.askFor', { name: item.name })}
                    onClick={() => setAsking(item)}
                  >
                    {t('store.ask')}
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {asking && <OrderDrawer item={asking} onClose={() => setAsking(null)} />}
    </Panel>
  )
}

function PriceText({ price }: Pick<StoreItem, 'price'>) {
  const { t } = useTranslation('support')
  if (!price) return <span className={classes.about}>{t('store.onRequest')}</span>
  const money = formatMoney(price.total, price.currency)
  return <span className={classes.price}>{price.taxes.length > 0 ? t('store.price', { money }) : money}</span>
}
