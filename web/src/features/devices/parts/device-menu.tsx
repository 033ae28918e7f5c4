import type { Device } from '@isotherm/contract/devices.ts'
import { IconLink, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../../ui/list/row-menu.tsx'
import { requestedTransmission } from '../requested-settings.ts'
import { useTransmission } from '../use-transmission.ts'

/** The menu of a device, opened: its share links, pausing and starting its transmission. */
export function DeviceMenu({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const switchTransmission = useTransmission()
  const isPaused = requestedTransmission(device) === 'paused'
  return (
    <RowMenu
      name={device.name}
      actions={[
        {
          label: t('shareLive'),
          icon: <IconLink size={16} />,
          onClick: () =>
            void navigate({
              to: '/devices/$deviceId/settings',
              params: { deviceId: device.id },
              hash: 'share-links',
            }),
        },
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
