import { type BillingAccount, billing } from '@isotherm/contract/billing.ts'
import type { WalletKind } from '@isotherm/contract/units.ts'
import { Drawer, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import { DetailsDrawer } from './details-drawer.tsx'
import { UnitsDrawer } from './units-drawer.tsx'

interface BuyDrawerProps {
  kind: WalletKind
  onClose: () => void
  /** A payment was begun whose page is not known yet. */
  onBegun: (id: string) => void
}

/** Asks for billing details where there are none, then what to buy. */
export function BuyDrawer({ kind, onClose, onBegun }: BuyDrawerProps) {
  const { t } = useTranslation('wallet')
  const answer = useCall(billing.account)
  const [isChanging, setIsChanging] = useState(false)
  const { data } = answer
  if (!data)
    return (
      <Drawer
        opened
        onClose={onClose}
        position="right"
        size={560}
        title={t(`buy.title.${kind}`)}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        {answer.error ? (
          <Failure error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton height={240} role="status" aria-label={t('common:list.loading')} />
        )}
      </Drawer>
    )
  if (!hasDetails(data) || isChanging)
    return (
      <DetailsDrawer
        account={data}
        onClose={isChanging ? () => setIsChanging(false) : onClose}
        onSaved={() => setIsChanging(false)}
      />
    )
  return (
    <UnitsDrawer
      kind={kind}
      details={data.details}
      onChangeDetails={() => setIsChanging(true)}
      onClose={onClose}
      onBegun={onBegun}
    />
  )
}

const hasDetails = (account: BillingAccount): account is BillingAccount & { details: object } =>
  account.details !== null
