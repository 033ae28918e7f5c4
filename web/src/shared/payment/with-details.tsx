import { type BillingDetails, billing } from '@isotherm/contract/billing.ts'
import { Drawer, Skeleton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { Failure } from '../../ui/failure.tsx'
import { DetailsDrawer } from './details-drawer.tsx'

interface WithDetailsProps {
  title: string
  onClose: () => void
  children: (details: BillingDetails, onChange: () => void) => ReactNode
}

/** Asks for billing details where there are none, or to change them, before what is bought with them. */
export function WithDetails({ title, onClose, children }: WithDetailsProps) {
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
        title={title}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        {answer.error ? (
          <Failure error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton height={240} role="status" aria-label={t('common:list.loading')} />
        )}
      </Drawer>
    )
  if (!data.details || isChanging)
    return (
      <DetailsDrawer
        account={data}
        onClose={isChanging ? () => setIsChanging(false) : onClose}
        onSaved={() => setIsChanging(false)}
      />
    )
  return children(data.details, () => setIsChanging(true))
}
