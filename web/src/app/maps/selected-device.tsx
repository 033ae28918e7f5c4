import { devices } from '@isotherm/contract/devices.ts'
import { Button, CloseButton, Skeleton } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Battery } from '../../features/devices/parts/battery.tsx'
import { Place } from '../../features/devices/parts/place.tsx'
import { SampleMark } from '../../features/devices/parts/sample-mark.tsx'
import { StateOfDevice } from '../../features/devices/parts/state-of-device.tsx'
import { HumidityNow, TemperatureNow } from '../../features/devices/parts/temperature-now.tsx'
import { useCall } from '../../lib/query.ts'
import { Age } from '../../ui/age.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import classes from './maps.module.css'
import { useTodaysPath } from './use-todays-path.ts'

interface SelectedDeviceProps {
  id: string
  onPlay: () => void
  onClose: () => void
}

/** The chosen device: values, state, last fix, today's path, and where to go from here. */
export function SelectedDevice({ id, onPlay, onClose }: SelectedDeviceProps) {
  const { t } = useTranslation('maps')
  const answer = useCall(devices.one, { params: { id } }, { refetchMs: 60_000 })
  const { fixes } = useTodaysPath(id)
  const device = answer.data
  if (!device)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={180} m="sm" w="auto" />
    )
  return (
    <section className={classes.card} aria-label={device.name}>
      <div className={classes.cardHead}>
        <h2>
          {device.name}
          <SampleMark device={device} />
        </h2>
        <CloseButton aria-keyshortcuts="Escape" aria-label={t('card.close')} onClick={onClose} />
      </div>
      <div className={classes.rowBottom}>
        <StateOfDevice device={device} />
        {device.tag && <span className={classes.small}>{device.tag}</span>}
      </div>
      <div className={classes.values}>
        <TemperatureNow device={device} size="xl" />
        {device.latest?.humidityPct !== null && device.latest && <HumidityNow device={device} size="lg" />}
        {device.latest?.batteryPct !== null && device.latest && <Battery percent={device.latest.batteryPct} />}
      </div>
      <dl className={classes.facts}>
        <dt>{t('card.lastReading')}</dt>
        <dd>
          <Age at={device.latest?.measuredAt} reason={t('devices:noValue.noReading')} />
        </dd>
        <dt>{t('card.lastFix')}</dt>
        <dd>
          <Place position={device.position} />
        </dd>
        <dt>{t('card.today')}</dt>
        <dd>
          {fixes === null ? t('card.loading') : fixes === 0 ? t('card.noPath') : t('card.pathToday', { count: fixes })}
        </dd>
      </dl>
      <div className={classes.buttons}>
        <ButtonLink to="/devices/$deviceId/details" params={{ deviceId: id }} size="xs">
          {t('card.details')}
        </ButtonLink>
        <Button size="xs" variant="default" leftSection={<IconPlayerPlay size={15} />} onClick={onPlay}>
          {t('card.playback')}
        </Button>
      </div>
    </section>
  )
}
