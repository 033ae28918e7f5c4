import { type Cards, cards } from '@isotherm/contract/cards.ts'
import { Button, Skeleton, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { onceBy } from '../../../lib/call-key.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { useUrlSearch } from '../../../lib/url-search.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Page } from '../../../ui/page.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { KeptOnPage } from '../parts/kept-on-page.tsx'
import { SavedCard } from '../parts/saved-card.tsx'
import { SubscriptionTabs } from '../parts/subscription-tabs.tsx'

/** The saved cards, adding one, and the page of the provider that the person comes back from. */
export function CardsPage() {
  const { t } = useTranslation('wallet')
  const answer = useCall(cards.list)
  const { search } = useUrlSearch()
  const { data } = answer
  const page = typeof search.page === 'string' && /^[1-9]\d{0,17}$/.test(search.page) ? search.page : null
  return (
    <Page title={t('cards.title')} tabs={<SubscriptionTabs />} width="text">
      <div className={frames.stack}>
        {page && <KeptOnPage key={page} id={page} />}
        {data?.cards.map((card) => (
          <SavedCard key={card.id} card={card} />
        ))}
        {data && <Adding of={data} />}
        {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!data && !answer.error && <Skeleton height={200} role="status" aria-label={t('common:list.loading')} />}
      </div>
    </Page>
  )
}

function Adding({ of: { cards: kept, adding } }: { of: Cards }) {
  const { t } = useTranslation('wallet')
  const mayAdd = useCan('payments.addOrEdit')
  const once = onceBy('card-page')
  const [isOpening, setIsOpening] = useState(false)
  async function open() {
    setIsOpening(true)
    try {
      const { url } = await once({}, (key) => call(cards.add, {}, { key, toastAll: true }))
      window.location.assign(url)
    } catch {
      // A toast has said why.
      setIsOpening(false)
    }
  }
  return (
    <Panel title={kept.length === 0 ? t('cards.none') : t('cards.add')} text={t('cards.lead')}>
      {adding === 'payment' && <Text size="sm">{t('cards.byPayment')}</Text>}
      {adding === 'none' && <Text size="sm">{t('cards.noneSold')}</Text>}
      {adding === 'page' && mayAdd && (
        <Button leftSection={<IconPlus size={16} />} loading={isOpening} onClick={() => void open()}>
          {t('cards.add')}
        </Button>
      )}
    </Panel>
  )
}
