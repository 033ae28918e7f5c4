import type { DeviceSession } from '@isotherm/contract/sessions.ts'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'

/** Open, or by what it ended. */
export function SessionState({ session }: { session: Pick<DeviceSession, 'endedBy'> }) {
  const { t } = useTranslation('sessions')
  return session.endedBy ? (
    <StateDot tone="none" hollow label={t(`endedBy.${session.endedBy}`)} />
  ) : (
    <StateDot tone="ok" label={t('isOpen')} />
  )
}
