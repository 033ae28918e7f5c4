import type { Device, Waiting } from '@isotherm/contract/devices.ts'
import { IconHourglass } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/now.ts'
import { formatAge, formatDuration } from '../../../lib/times.ts'
import classes from './details.module.css'

/** Commands the device has not confirmed yet, in words. */
export function WaitingNotes({ device }: { device: Pick<Device, 'waiting' | 'latest'> }) {
  const { t } = useTranslation('devices')
  const now = useNow()
  const command = ({ kind, value }: Waiting) => {
    if (kind === 'interval') return t('waiting.interval', { interval: formatDuration(Number(value.intervalS) * 1000) })
    if (kind === 'transmission') return t(value.state === 'paused' ? 'waiting.pause' : 'waiting.start')
    if (kind === 'flight_mode') return t(value.state === 'on' ? 'waiting.flightModeOn' : 'waiting.flightModeOff')
    if (kind === 'power') return t(value.state === 'off' ? 'waiting.powerOff' : 'waiting.powerOn')
    return t('waiting.other')
  }
  return device.waiting.map((waiting) => (
    <p key={waiting.kind} className={classes.waiting}>
      <IconHourglass size={15} aria-hidden="true" />
      {t(waiting.sentAt ? 'waiting.sent' : device.latest ? 'waiting.unsent' : 'waiting.neverHeard', {
        command: command(waiting),
        age: formatAge(now - Date.parse(waiting.since)),
      })}
    </p>
  ))
}
