import { orderWarnings } from '@isotherm/contract/order-warnings.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { WarningLines } from './warning-lines.tsx'

/** The warnings that an order had; nothing where it had none. */
export function OrderWarnings({ orderId }: { orderId: string }) {
  const { t } = useTranslation('orderLife')
  const { data, error, refetch } = useCall(orderWarnings.ofOrder, { params: { id: orderId } }, { refetchMs: 60_000 })
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : null
  if (data.length === 0) return null
  return (
    <Panel title={t('warnings.title')}>
      <WarningLines warnings={data} />
    </Panel>
  )
}

const shown = 5

/** The warnings of all orders that nobody acknowledged; nothing where there are none. */
export function OpenWarnings() {
  const { t } = useTranslation('orderLife')
  const { data, error, refetch } = useCall(orderWarnings.lasting, { query: { perPage: shown } }, { refetchMs: 30_000 })
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : null
  const open = data.data.filter(({ state }) => state === 'open')
  if (open.length === 0) return null
  return (
    <Panel title={t('warnings.openTitle')}>
      <WarningLines warnings={open} hasOrder />
      {data.open > open.length && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('warnings.more', { count: data.open - open.length })}
        </Text>
      )}
    </Panel>
  )
}
