import type { RecordDetails, RecordStats } from '@isotherm/contract/records.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { Paper, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatTemperature, noValue } from '../../../lib/numbers.ts'
import { formatDuration, formatSpan, formatTime } from '../../../lib/times.ts'
import { CoverageCell } from '../../../shared/stats/coverage-cell.tsx'
import frames from '../../../ui/frames.module.css'
import { Sideways } from '../../../ui/sideways.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { verdictTones } from './record-facts.tsx'
import classes from './records.module.css'

interface RecordDevicesProps {
  record: RecordDetails
  /** Temperature of each, once it is known. */
  figures: ReadonlyMap<string, MeasureStats>
  /** When the record had none of its devices. */
  unattended: RecordStats['unattended']
  chosen: string | undefined
  onChoose: (deviceId: string) => void
}

/** Its devices with what each measured; one that was swapped or taken out of use says so. */
export function RecordDevices({ record, figures, unattended, chosen, onChoose }: RecordDevicesProps) {
  const { t } = useTranslation('records')
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="record-devices">
      <h2 id="record-devices">{t('devices.title')}</h2>
      <Sideways label={`${t('devices.title')}, ${t('devices.verdict')}`} maxHeight={460}>
        <Table highlightOnHover stickyHeader miw={640}>
          <Table.Thead>
            <Table.Tr>
              {(['name', 'verdict', 'lowest', 'highest', 'out', 'coverage'] as const).map((column, index) => (
                <Table.Th key={column} ta={index > 1 ? 'right' : undefined}>
                  {t(`devices.${column}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {record.devices.map((device) => {
              const own = figures.get(device.id)
              return (
                <Table.Tr key={device.id} data-chosen={device.id === chosen || undefined}>
                  <Table.Td>
                    <button
                      type="button"
                      className={classes.choose}
                      aria-pressed={device.id === chosen}
                      onClick={() => onChoose(device.id)}
                    >
                      {device.name}
                    </button>
                    <Changes device={device} />
                  </Table.Td>
                  <Table.Td>
                    {own ? <StateDot tone={verdictTones[own.verdict]} label={t(`verdict.${own.verdict}`)} /> : noValue}
                  </Table.Td>
                  <Table.Td ta="right">{formatTemperature(own?.min?.value)}</Table.Td>
                  <Table.Td ta="right">{formatTemperature(own?.max?.value)}</Table.Td>
                  <Table.Td ta="right">{own ? formatDuration(own.aboveMs + own.belowMs) : noValue}</Table.Td>
                  <Table.Td ta="right">{own ? <CoverageCell stats={own} /> : noValue}</Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Sideways>
      {unattended.map(({ from, to }) => (
        <p key={from} className={frames.note}>
          {t('unattended', formatSpan(from, to))}
        </p>
      ))}
    </Paper>
  )
}

function Changes({ device }: { device: RecordDetails['devices'][number] }) {
  const { t } = useTranslation('records')
  const swapped = device.hardware.slice(1)
  return (
    <>
      {swapped.map(({ imei, from }) => (
        <div key={from} className={frames.note}>
          {t('devices.swapped', { imei, time: formatTime(from) })}
        </div>
      ))}
      {device.joinedAt && (
        <div className={frames.note}>{t('devices.joined', { time: formatTime(device.joinedAt) })}</div>
      )}
      {device.leftAt && <div className={frames.note}>{t('devices.left', { time: formatTime(device.leftAt) })}</div>}
      {device.decommissionedAt && (
        <div className={frames.note}>{t('devices.gone', { time: formatTime(device.decommissionedAt) })}</div>
      )}
    </>
  )
}
