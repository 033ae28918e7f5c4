import type { Device } from '@isotherm/contract/devices.ts'
import { IconLock } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Age } from '../../../ui/age.tsx'
import type { Column } from '../../../ui/list/column.ts'
import { Battery } from './battery.tsx'
import { DayLine } from './day-line.tsx'
import classes from './devices.module.css'
import { OpenAlarms } from './open-alarms.tsx'
import { Place } from './place.tsx'
import { SampleMark } from './sample-mark.tsx'
import { StateOfDevice } from './state-of-device.tsx'
import { HumidityNow, TemperatureNow } from './temperature-now.tsx'

/** The columns of the device list, in the order of SCREENS: state, name, temperature, humidity, battery, place, age and open alarms. */
export function useDeviceColumns(): Column<Device>[] {
  const { t } = useTranslation('devices')
  return useMemo(
    () => [
      {
        key: 'state',
        title: t('columns.state'),
        sort: 'status',
        width: 148,
        render: (device) => (
          <span className={classes.stateCell}>
            <StateOfDevice device={device} />
            <span className="visually-hidden">, {device.name}</span>
          </span>
        ),
      },
      {
        key: 'name',
        isFixed: true,
        title: t('columns.name'),
        sort: 'name',
        width: '24%',
        render: (device) => <DeviceName device={device} />,
      },
      {
        key: 'temperature',
        title: t('columns.temperature'),
        sort: 'temperature',
        width: 180,
        render: (device) => (
          <span className={classes.temperature}>
            <span className={classes.temperatureValue}>
              <TemperatureNow device={device} size="lg" />
            </span>
            <DayLine device={device} />
          </span>
        ),
      },
      {
        key: 'humidity',
        title: t('columns.humidity'),
        sort: 'humidity',
        width: 96,
        hideBelow: 820,
        render: (device) => <HumidityNow device={device} size="sm" />,
      },
      {
        key: 'battery',
        title: t('columns.battery'),
        sort: 'battery',
        width: 96,
        hideBelow: 1100,
        render: (device) => <Battery percent={device.latest?.batteryPct} />,
      },
      {
        key: 'place',
        title: t('columns.place'),
        hideBelow: 1100,
        render: (device) => <Place position={device.position} />,
      },
      {
        key: 'lastSeen',
        title: t('columns.lastSeen'),
        sort: 'lastSeen',
        width: 140,
        render: (device) => (
          <span className={classes.lastSeen}>
            <Age at={device.latest?.measuredAt} reason={t('noValue.noReading')} />
            <OpenAlarms device={device} />
          </span>
        ),
      },
    ],
    [t],
  )
}

export function DeviceName({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  return (
    <span className={classes.name}>
      <span className={classes.nameText}>
        {device.name}
        <SampleMark device={device} />
        {device.visibility === 'private' && (
          <>
            {'\u00a0'}
            <IconLock size={14} className={classes.lock} aria-hidden="true" />
            <span className="visually-hidden">{t('visibility.private')}</span>
          </>
        )}
      </span>
      {device.tag && <span className={classes.small}>{device.tag}</span>}
    </span>
  )
}
