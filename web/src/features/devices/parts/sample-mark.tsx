import type { Device } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import marks from '../../../ui/marks.module.css'

/** Says beside a name that the device's readings are made up; of other devices nothing. */
export function SampleMark({ device }: { device: Pick<Device, 'sampleUntil'> }) {
  const { t } = useTranslation('devices')
  if (device.sampleUntil === null) return null
  return (
    <>
      {'\u00a0'}
      <span className={marks.mark}>{t('sample.badge')}</span>
    </>
  )
}
