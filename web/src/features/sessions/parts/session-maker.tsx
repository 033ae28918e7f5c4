import type { DeviceSession } from '@isotherm/contract/sessions.ts'
import { useTranslation } from 'react-i18next'

/** The maker of a session: the device, or somebody by name. */
export function SessionMaker({ session }: { session: Pick<DeviceSession, 'openedBy' | 'createdBy'> }) {
  const { t } = useTranslation('sessions')
  if (session.openedBy === 'device') return t('openedBy.device')
  return session.createdBy ?? t('openedBy.someone')
}
