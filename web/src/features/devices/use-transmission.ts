import { type Device, devices } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { confirm } from '../../ui/confirm.ts'
import { requestedTransmission } from './requested-settings.ts'

/** Asks, then pauses or starts a device's transmission. */
export function useTransmission() {
  const { t } = useTranslation('devices')
  return (device: Device) => {
    const { id, name } = device
    const next = requestedTransmission(device) === 'paused' ? 'started' : 'paused'
    confirm({
      title: t(`transmission.${next}.title`, { name }),
      text: t(`transmission.${next}.text`),
      action: t(`transmission.${next}.action`),
      run: async () => {
        await call(devices.change, { params: { id }, body: { transmission: next } })
        toastSuccess(t(`transmission.${next}.done`))
        await refetchCalls(devices.one, devices.list, devices.summary)
      },
    })
  }
}
