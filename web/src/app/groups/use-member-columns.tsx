import type { GroupDevice } from '@isotherm/contract/groups.ts'
import { useTranslation } from 'react-i18next'
import { alarmTone } from '../../features/devices/device-state.ts'
import { Battery } from '../../features/devices/parts/battery.tsx'
import { StateOfDevice } from '../../features/devices/parts/state-of-device.tsx'
import { judgedPercentDecimals, temperatureDecimals } from '../../lib/numbers.ts'
import { Age } from '../../ui/age.tsx'
import type { Column } from '../../ui/list/column.ts'
import { Value } from '../../ui/value.tsx'
import classes from './groups.module.css'

/** The columns of a group's device. */
export function useMemberColumns(): Column<GroupDevice>[] {
  const { t } = useTranslation('groups')
  const why = (device: GroupDevice) => t(device.measuredAt ? 'notMeasured' : 'noValue')
  return [
    { key: 'state', title: t('fields.state'), width: 148, render: (device) => <StateOfDevice device={device} /> },
    {
      key: 'name',
      title: t('fields.name'),
      render: ({ name, tag }) => (
        <>
          <b style={{ overflowWrap: 'anywhere' }}>{name}</b>
          {tag && <small className={classes.tag}>{tag}</small>}
        </>
      ),
    },
    {
      key: 'temperature',
      title: t('fields.temperature'),
      width: 120,
      render: (device) => (
        <Value
          value={device.temperatureC}
          unit="°C"
          decimals={device.temperatureC === null ? undefined : temperatureDecimals(device.temperatureC)}
          size="lg"
          tone={alarmTone(device.judgement.temperature, device.status)}
          reason={why(device)}
        />
      ),
    },
    {
      key: 'humidity',
      title: t('fields.humidity'),
      width: 96,
      hideBelow: 820,
      render: (device) => (
        <Value
          value={device.humidityPct}
          unit="%"
          decimals={judgedPercentDecimals(device.humidityPct ?? 0, {
            ...{ min: device.limits.humidityMinPct, max: device.limits.humidityMaxPct },
          })}
          size="sm"
          tone={alarmTone(device.judgement.humidity, device.status)}
          reason={why(device)}
        />
      ),
    },
    {
      key: 'battery',
      title: t('fields.battery'),
      width: 96,
      hideBelow: 1100,
      render: (device) => <Battery percent={device.batteryPct} />,
    },
    { key: 'place', title: t('fields.place'), hideBelow: 1100, render: ({ position }) => position?.placeName ?? '–' },
    {
      key: 'lastSeen',
      title: t('fields.lastSeen'),
      width: 120,
      render: ({ measuredAt }) => <Age at={measuredAt} reason={t('noValue')} />,
    },
  ]
}
