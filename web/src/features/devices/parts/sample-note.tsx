import { dashboard } from '@isotherm/contract/dashboard.ts'
import { type Device, devices } from '@isotherm/contract/devices.ts'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { isInSandbox } from '../../../lib/tab-storage.ts'
import { formatDate } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'

/** A sample device: that its readings are made up, when it goes, and the button by which it goes now. */
export function SampleNote({ device, until }: { device: Device; until: string }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const mayRemove = useCan(devices.removeSample)
  const remove = () =>
    confirm({
      title: t('sample.removeTitle', { name: device.name }),
      text: t('sample.removeText'),
      action: t('sample.remove'),
      destructive: true,
      run: async () => {
        // The page is left first: that of a device that is gone leads to /404, which may be there before the list is.
        await navigate({ to: '/devices/device-overview' })
        await call(devices.removeSample, {})
        toastSuccess(t('sample.removed'))
        await refetchCalls(devices.list, devices.summary, devices.fleet, dashboard.figures)
      },
    })
  return (
    <div>
      <p>
        {t('sample.about')} {!isInSandbox && t('sample.until', { date: formatDate(until) })}
      </p>
      {device.status !== 'decommissioned' && mayRemove && (
        <Button variant="default" size="compact-md" mih={44} mt={6} onClick={remove}>
          {t('sample.remove')}
        </Button>
      )}
    </div>
  )
}
