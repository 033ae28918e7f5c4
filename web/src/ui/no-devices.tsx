import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCan } from '../lib/can.ts'

/** Said where a device is to be chosen and the person can see none. */
export function NoDevices() {
  const { t } = useTranslation()
  const mayEdit = useCan('devices.addOrEdit')
  return (
    <Alert color="orange">
      {t(mayEdit ? 'noDevices.text' : 'noDevices.textReadOnly')}{' '}
      {mayEdit && (
        <Anchor component={Link} to="/devices/setupdevice/new">
          {t('noDevices.action')}
        </Anchor>
      )}
    </Alert>
  )
}
