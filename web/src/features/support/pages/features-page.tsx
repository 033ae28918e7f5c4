import { type Feature, support } from '@isotherm/contract/support.ts'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { FeatureDrawer } from '../parts/feature-drawer.tsx'
import classes from '../parts/support.module.css'
import { SupportTabs } from '../parts/support-tabs.tsx'

type Measure = Feature['measures'][number]

/** The modules of the product: what the plan includes of each, what is used of it, and a request for more. */
export function FeaturesPage() {
  const { t } = useTranslation('support')
  const answer = useCall(support.features)
  const [asking, setAsking] = useState<Feature['module'] | null>(null)
  const { data } = answer
  return (
    <Page title={t('title')} tabs={<SupportTabs />} width="text">
      <Panel title={t('features.title')} text={t('features.lead')}>
        {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!data && !answer.error && <Skeleton height={320} role="status" aria-label={t('common:list.loading')} />}
        {data && (
          <ul className={classes.rows}>
            {data.map((feature) => (
              <Row key={feature.module} feature={feature} onAsk={() => setAsking(feature.module)} />
            ))}
          </ul>
        )}
      </Panel>
      {asking && <FeatureDrawer module={asking} onClose={() => setAsking(null)} />}
    </Page>
  )
}

const isFull = ({ used, limit }: Measure) => used !== null && limit !== null && used >= limit

function Row({ feature, onAsk }: { feature: Feature; onAsk: () => void }) {
  const { t } = useTranslation('support')
  const { module, isIncluded, measures, askedAt } = feature
  const name = t(`categories.${module}`)
  const mayAsk = useCan(support.askFeature)
  const atLimit = measures.some(isFull)
  return (
    <li>
      <span className={classes.head}>
        <span className={classes.name}>{name}</span>
        {isIncluded ? (
          <StateDot tone={atLimit ? 'warning' : 'ok'} label={atLimit ? t('features.full') : t('features.included')} />
        ) : (
          <StateDot tone="none" label={t('features.missing')} hollow />
        )}
      </span>
      {measures.map((measure) => (
        <span key={measure.name} className={classes.head}>
          <span className={classes.about}>{t(`measures.${measure.name}`)}</span>
          <Figures measure={measure} />
        </span>
      ))}
      <span className={classes.foot}>
        {askedAt ? (
          <span className={classes.about}>{t('features.asked', { date: formatDate(askedAt) })}</span>
        ) : (
          mayAsk && (
            <Button variant="default" size="compact-sm" aria-label={t('features.askFor', { name })} onClick={onAsk}>
              {isIncluded ? t('features.ask') : t('features.askIt')}
            </Button>
          )
        )}
      </span>
    </li>
  )
}

function Figures({ measure: { name, used, limit } }: { measure: Measure }) {
  const { t } = useTranslation('support')
  const values = { used: formatNumber(used ?? 0), limit: formatNumber(limit ?? 0) }
  const most = name === 'retentionMonths' ? 'atLeast' : 'atMost'
  const key = used === null ? (limit === null ? 'noLimit' : most) : limit === null ? 'unlimited' : 'ofLimit'
  return <span className={classes.price}>{t(`measured.${key}`, values)}</span>
}
