import { Button } from '@mantine/core'
import { IconFileText, IconLink, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { preloadTimeChart } from '../../../charts/lazy-time-chart.tsx'
import { useCan } from '../../../lib/can.ts'
import frames from '../../../ui/frames.module.css'
import { LateRowMenu } from '../../../ui/list/late-row-menu.tsx'
import { DeviceFrame } from '../parts/device-frame.tsx'
import { DeviceHeader } from '../parts/device-header.tsx'
import { DeviceHistory, type MarksSource } from '../parts/device-history.tsx'
import { requestedTransmission } from '../requested-settings.ts'
import { useTransmission } from '../use-transmission.ts'

/** `Marks` brings the chart its flags. */
export function DetailsPage({ Marks }: { Marks: MarksSource }) {
  const navigate = useNavigate()
  const { t } = useTranslation('devices')
  const mayEdit = useCan('devices.addOrEdit')
  const switchTransmission = useTransmission()
  useEffect(preloadTimeChart, [])
  return (
    <DeviceFrame
      actions={(device) => {
        const report = (
          <Button
            variant="default"
            leftSection={<IconFileText size={16} />}
            renderRoot={(props) => (
              <Link {...props} to="/devices/report/$deviceId" params={{ deviceId: device.id }} search />
            )}
          >
            {t('report')}
          </Button>
        )
        if (!mayEdit) return report
        const isPaused = requestedTransmission(device) === 'paused'
        return (
          <>
            {report}
            <LateRowMenu
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
            />
          </>
        )
      }}
    >
      {(device) => (
        <div className={frames.stack}>
          <DeviceHeader device={device} />
          <DeviceHistory device={device} Marks={Marks} />
        </div>
      )}
    </DeviceFrame>
  )
}
