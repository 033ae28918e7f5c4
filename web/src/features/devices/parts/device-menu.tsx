import type { Device } from '@isotherm/contract/devices.ts'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../../ui/list/row-menu.tsx'
import { requestedTransmission } from '../requested-settings.ts'
import { useTransmission } from '../use-transmission.ts'

/** The menu of a device, opened: pausing and starting its transmission. */
export function DeviceMenu({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const switchTransmission = useTransmission()
  const isPaused = requestedTransmission(device) === 'paused'
  return (
    <RowMenu
      name={device.name}
      actions={[
        {
          label: t(`transmission.${isPaused ? 'started' : 'paused'}.action`),
          icon: isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />,
          onClick: () => switchTransmission(device),
        },
      ]}
      defaultOpened
    />
  )
}
