import type { WalletKind } from '@isotherm/contract/units.ts'
import { useTranslation } from 'react-i18next'
import { WithDetails } from '../../../shared/payment/with-details.tsx'
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
  return (
    <WithDetails title={t(`buy.title.${kind}`)} onClose={onClose}>
      {(details, onChange) => (
        <UnitsDrawer kind={kind} details={details} onChangeDetails={onChange} onClose={onClose} onBegun={onBegun} />
      )}
    </WithDetails>
  )
}
