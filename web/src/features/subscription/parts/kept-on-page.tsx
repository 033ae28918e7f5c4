import { cards } from '@isotherm/contract/cards.ts'
import { Group, Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { Panel } from '../../../ui/panel.tsx'

/** The person comes back from the provider's page: whether a card was kept there. */
export function KeptOnPage({ id }: { id: string }) {
  const { t } = useTranslation('wallet')
  const [isKept, setIsKept] = useState<boolean | null>(null)
  useEffect(() => {
    let isOver = false
    call(cards.check, { params: { id } }, { toastAll: true })
      .then(async ({ card }) => {
        await refetchCalls(cards.list)
        if (!isOver) setIsKept(card !== null)
      })
      .catch(() => !isOver && setIsKept(false))
    return () => {
      isOver = true
    }
  }, [id])
  return (
    <Panel title={t('cards.add')}>
      <Group gap="xs" role="status" aria-live="polite">
        {isKept === null && <Loader size={16} aria-hidden />}
        <Text size="sm">{isKept === null ? t('cards.checking') : isKept ? t('cards.kept') : t('cards.notYet')}</Text>
      </Group>
    </Panel>
  )
}
