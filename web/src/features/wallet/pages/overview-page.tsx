import type { WalletKind } from '@isotherm/contract/units.ts'
import { wallet } from '@isotherm/contract/wallet.ts'
import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Payments } from '../../../shared/payment/payments.tsx'
import { usePayments } from '../../../shared/payment/use-payments.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { PeriodFields } from '../../../ui/list/period-fields.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { usePeriod } from '../../../ui/list/use-period.ts'
import { Page } from '../../../ui/page.tsx'
import { Balance } from '../parts/balance.tsx'
import { BuyDrawer } from '../parts/buy-drawer.tsx'
import classes from '../parts/wallet.module.css'
import { WalletTabs } from '../parts/wallet-tabs.tsx'

const noPeriod = { from: undefined, to: undefined }

/** Units of each kind, those used in a period, buying more, and the payment that the person comes back from. */
export function OverviewPage() {
  const { t } = useTranslation('wallet')
  const answer = useCall(wallet.balances)
  const payments = usePayments()
  const period = usePeriod(useListParams({}))
  const [buying, setBuying] = useState<WalletKind | null>(null)
  return (
    <Page title={t('title')} tabs={<WalletTabs />} width="text">
      <div className={frames.stack}>
        <Payments of={payments} />
        <div className={classes.period}>
          <PeriodFields {...period} />
        </div>
        {answer.data ? (
          <div className={classes.balances}>
            {answer.data.map((one) => (
              <Balance
                key={one.id}
                of={one}
                asked={period.crossed ? noPeriod : period.asked}
                onBuy={() => setBuying(one.kind)}
              />
            ))}
          </div>
        ) : answer.error ? (
          <Failure error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton height={180} role="status" aria-label={t('common:list.loading')} />
        )}
      </div>
      {buying && (
        <BuyDrawer
          kind={buying}
          onClose={() => setBuying(null)}
          onBegun={(id) => {
            setBuying(null)
            payments.show(id)
          }}
        />
      )}
    </Page>
  )
}
