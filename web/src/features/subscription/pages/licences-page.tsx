import { subscription } from '@isotherm/contract/subscription.ts'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Page } from '../../../ui/page.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { LicenceForm } from '../parts/licence-form.tsx'
import { LicenceList } from '../parts/licence-list.tsx'
import { PlanUse } from '../parts/plan-use.tsx'
import { Standing } from '../parts/standing.tsx'
import { SubscriptionTabs } from '../parts/subscription-tabs.tsx'

/** How the company stands with its plan: until when, what its licences allow, and how to go on. */
export function LicencesPage() {
  const { t } = useTranslation('subscription')
  const mayEdit = useCan('payments.addOrEdit')
  const answer = useCall(subscription.entitlement)
  const { data } = answer
  if (!data)
    return (
      <Page title={t('title')} tabs={<SubscriptionTabs />} width="text">
        {answer.error ? (
          <Failure error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton height={280} role="status" aria-label={t('common:list.loading')} />
        )}
      </Page>
    )
  return (
    <Page title={t('title')} tabs={<SubscriptionTabs />} width="text">
      <div className={frames.stack}>
        <Standing entitlement={data} mayRenew={mayEdit} />
        {data.use && <PlanUse use={data.use} />}
        <Panel title={t('licences.title')} text={t('licences.lead')}>
          <LicenceList />
          {mayEdit && <LicenceForm />}
        </Panel>
      </div>
    </Page>
  )
}
