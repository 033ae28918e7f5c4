import type { DriverState as State } from '@isotherm/contract/drivers.ts'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'

export function DriverState({ status }: { status: State }) {
  const { t } = useTranslation('drivers')
  const isActive = status === 'active'
  return <StateDot tone={isActive ? 'ok' : 'none'} hollow={!isActive} label={t(`status.${status}`)} />
}
