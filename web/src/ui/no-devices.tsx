import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../lib/can.ts'
import { AnchorLink } from './links.tsx'

/** Said where a device is to be chosen and the person can see none. */
export function NoDevices() {
  const { t } = useTranslation()
  const mayEdit = useCan('devices.addOrEdit')
  return (
    <Alert color="orange">
      {t(mayEdit ? 'noDevices.text' : 'noDevices.textReadOnly')}{' '}
      {mayEdit && (
        <AnchorLink to="/devices/setupdevice/$deviceId" params={{ deviceId: 'new' }}>
          {t('noDevices.action')}
        </AnchorLink>
      )}
    </Alert>
  )
}
