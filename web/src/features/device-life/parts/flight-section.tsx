import { Button } from '@mantine/core'
import { IconPlane, IconPlaneOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../../lib/times.ts'
import { useFlightMode } from '../use-flight-mode.ts'
import { FlightDialog } from './flight-dialog.tsx'
import { Section } from './section.tsx'
import type { LifeProps } from './section-props.ts'

/** Flight mode: off, awaiting its flight, or on. What the device has not confirmed yet is said at its transmission. */
export function FlightSection({ device, life, mayEdit }: LifeProps) {
  const { t } = useTranslation('deviceLife')
  const [isOpen, setOpen] = useState(false)
  const { switchOn, switchOff } = useFlightMode(device)
  const { flight } = life
  // Nobody knows the number of a flight where the waybill alone was booked.
  const number = [flight.carrierCode, flight.flightNumber].filter(Boolean).join(' ') || t('flight.noNumber')
  const name = flight.kind === 'flight' ? number : null
  const how = {
    off: () => t('flight.off'),
    awaiting: () => t('flight.awaiting', { flight: name, time: formatTime(flight.scheduledDepartureDate ?? 0) }),
    on: () =>
      `${t('flight.on', { time: formatTime(flight.startedAt ?? 0) })}${name ? ` ${t('flight.flight', { flight: name })}` : ''}`,
  }
  const on = (
    <Button variant="default" leftSection={<IconPlane size={16} />} onClick={switchOn}>
      {t('flight.turnOn')}
    </Button>
  )
  const actions = {
    off: (
      <>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('flight.schedule')}
        </Button>
        {on}
      </>
    ),
    awaiting: (
      <>
        <Button variant="default" onClick={() => switchOff(name)}>
          {t('flight.takeBack')}
        </Button>
        {on}
      </>
    ),
    on: (
      <Button variant="default" leftSection={<IconPlaneOff size={16} />} onClick={() => switchOff(null)}>
        {t('flight.turnOff')}
      </Button>
    ),
  }
  return (
    <Section title={t('flight.title')} text={how[flight.state]()} actions={mayEdit && actions[flight.state]}>
      {isOpen && <FlightDialog device={device} onClose={() => setOpen(false)} />}
    </Section>
  )
}
