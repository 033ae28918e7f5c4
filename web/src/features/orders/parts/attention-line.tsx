import { orders } from '@isotherm/contract/order-calls.ts'
import { orderAttentions } from '@isotherm/contract/orders.ts'
import { Group, Skeleton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Failure } from '../../../ui/failure.tsx'

interface AttentionLineProps {
  chosen: string | undefined
  onChoose: (attention: string | undefined) => void
}

/** The orders that need attention, by reason: each shows them in the list below. */
export function AttentionLine({ chosen, onChoose }: AttentionLineProps) {
  const { t } = useTranslation('orders')
  const { data, error, refetch } = useCall(orders.summary, undefined, { refetchMs: 30_000 })
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton height={32} />
  const reasons = orderAttentions.filter((name) => name === chosen || (data.attention[name] ?? 0) > 0)
  return (
    <Group gap="xs" role="group" aria-label={t('attention.label')} mb="sm">
      {reasons.length === 0 && <Text size="sm">{t('attention.none')}</Text>}
      {reasons.map((name) => (
        <Chip
          key={name}
          pressed={name === chosen}
          count={data.attention[name]}
          onClick={() => onChoose(name === chosen ? undefined : name)}
        >
          {t(`attention.reason.${name}`)}
        </Chip>
      ))}
      <Text size="sm" c="dimmed">
        {t('dueToday', { count: data.dueToday })}
      </Text>
    </Group>
  )
}
