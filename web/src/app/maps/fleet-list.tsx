import { UnstyledButton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type CSSProperties, memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { alarmTone } from '../../features/devices/device-state.ts'
import { StateOfDevice } from '../../features/devices/parts/state-of-device.tsx'
import { temperatureDecimals } from '../../lib/numbers.ts'
import { Age } from '../../ui/age.tsx'
import { Value } from '../../ui/value.tsx'
import type { FleetDevice } from './fleet.ts'
import classes from './maps.module.css'

const rowPx = 62
const spareRows = 6

interface FleetListProps {
  devices: readonly FleetDevice[]
  selectedId: string | null
  emptyText: string
  onSelect: (id: string) => void
}

/** Ten thousand rows of which only those in sight exist. */
export function FleetList({ devices, selectedId, emptyText, onSelect }: FleetListProps) {
  const { t } = useTranslation('maps')
  const [top, setTop] = useState(0)
  const { ref: measured, height } = useElementSize()
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice scrolls, not every push
  useEffect(() => {
    const index = devices.findIndex(({ id }) => id === selectedId)
    const view = box.current
    if (index < 0 || !view) return
    const y = index * rowPx
    if (y < view.scrollTop || y + rowPx > view.scrollTop + view.clientHeight) view.scrollTop = y - view.clientHeight / 3
  }, [selectedId])
  if (devices.length === 0) return <p className={classes.none}>{emptyText}</p>
  const first = Math.max(0, Math.floor(top / rowPx) - spareRows)
  const last = Math.min(devices.length, Math.ceil((top + height) / rowPx) + spareRows)
  return (
    <div
      className={classes.list}
      ref={(element) => {
        box.current = element
        measured(element)
      }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul aria-label={t('list')} style={{ height: devices.length * rowPx }}>
        {devices.slice(first, last).map((device, i) => (
          <Row
            key={device.id}
            device={device}
            index={first + i}
            total={devices.length}
            isSelected={device.id === selectedId}
            onSelect={onSelect}
          />
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  device: FleetDevice
  index: number
  total: number
  isSelected: boolean
  onSelect: (id: string) => void
}

const Row = memo(function Row({ device, index, total, isSelected, onSelect }: RowProps) {
  const { t } = useTranslation('maps')
  const { temperatureC, judgement, status } = device
  const style: CSSProperties = { transform: `translateY(${index * rowPx}px)`, height: rowPx }
  return (
    <li style={style} aria-posinset={index + 1} aria-setsize={total}>
      <UnstyledButton className={classes.row} aria-pressed={isSelected} onClick={() => onSelect(device.id)}>
        <span className={classes.rowTop}>
          <span className={classes.name}>{device.name}</span>
          <Value
            value={temperatureC}
            unit="°C"
            decimals={temperatureC === null ? undefined : temperatureDecimals(temperatureC)}
            size="lg"
            tone={alarmTone(judgement.temperature, status)}
            reason={t('devices:noValue.noReading')}
          />
        </span>
        <span className={classes.rowBottom}>
          <StateOfDevice device={device} />
          <span className={classes.small}>
            {device.measuredAt === null ? null : device.lat === null ? (
              t('noFix')
            ) : (
              <Age at={device.measuredAt} reason={t('devices:noValue.noReading')} />
            )}
          </span>
        </span>
      </UnstyledButton>
    </li>
  )
})
