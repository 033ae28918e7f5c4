import { WalletKind } from '@isotherm/contract/units.ts'
import { wallet } from '@isotherm/contract/wallet.ts'
import { Skeleton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import payment from '../../../shared/payment/payment.module.css'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { PeriodFields } from '../../../ui/list/period-fields.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { type Period, usePeriod } from '../../../ui/list/use-period.ts'
import { Page } from '../../../ui/page.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import classes from '../parts/wallet.module.css'
import { WalletTabs } from '../parts/wallet-tabs.tsx'

/** The units that were added and used in a period, the last 30 days unless one is chosen, of each kind, by alarm. */
export function DetailsPage() {
  const { t } = useTranslation('wallet')
  const period = usePeriod(useListParams({}))
  return (
    <Page title={t('title')} tabs={<WalletTabs />} width="text">
      <div className={frames.stack}>
        <div className={classes.period}>
          <PeriodFields {...period} />
        </div>
        {!period.crossed && WalletKind.options.map((kind) => <Kind key={kind} kind={kind} asked={period.asked} />)}
      </div>
    </Page>
  )
}

function Kind({ kind, asked }: { kind: WalletKind; asked: Period['asked'] }) {
  const { t } = useTranslation('wallet')
  const answer = useCall(wallet.overviewOf, { body: { kind, ...asked } }, { keepPrevious: true })
  const { data } = answer
  return (
    <Panel title={t(`kinds.${kind}`)}>
      {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!data && !answer.error && <Skeleton height={120} role="status" aria-label={t('common:list.loading')} />}
      {data && (
        <Renewing isOld={answer.isPlaceholderData}>
          <Text size="sm" c="dimmed" mb="sm">
            {t('month.period', { from: formatDate(data.period.from), to: formatDate(data.period.to) })}
          </Text>
          <dl className={payment.sums}>
            <dt>{t('month.added')}</dt>
            <dd>{formatNumber(data.bought)}</dd>
            <dt>{t('month.used')}</dt>
            <dd>{formatNumber(data.used)}</dd>
            <dt className={payment.total}>{t('month.left')}</dt>
            <dd className={payment.total}>{formatNumber(data.remaining)}</dd>
          </dl>
          {data.byAlarm.length > 0 && (
            <>
              <h3 className={classes.subheading}>{t('month.byAlarm')}</h3>
              <dl className={payment.sums}>
                {data.byAlarm.map(({ alarm, units }) => [
                  <dt key={alarm?.id ?? 'none'}>{alarm?.name ?? t('month.noAlarm')}</dt>,
                  <dd key={`${alarm?.id ?? 'none'} units`}>{formatNumber(units)}</dd>,
                ])}
              </dl>
            </>
          )}
        </Renewing>
      )}
    </Panel>
  )
}
