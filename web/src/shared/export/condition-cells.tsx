import type { MeasuredDevice } from '@isotherm/contract/shipment-calls.ts'
import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatTemperature } from '../../lib/numbers.ts'
import { formatDuration } from '../../lib/times.ts'
import { Unbroken } from '../../ui/unbroken.tsx'

/** The columns of a device's conditions: on a phone the first ones are seen, the others by moving the table. */
const columns = ['device', 'outside', 'place', 'readings', 'min', 'max', 'mean'] as const

export function ConditionHeads() {
  const { t } = useTranslation('shipments')
  return columns.map((name) => <Table.Th key={name}>{t(`conditions.${name}`)}</Table.Th>)
}

export function ConditionCells({ device }: { device: MeasuredDevice }) {
  const { t } = useTranslation('shipments')
  return (
    <>
      {/* Names would stand in six lines on a phone, where the table may be moved anyway. */}
      <Table.Td miw={130}>{device.name}</Table.Td>
      <Table.Td>{device.outsideMs > 0 ? <Unbroken isName text={formatDuration(device.outsideMs)} /> : '–'}</Table.Td>
      <Table.Td>{t(`place.${device.place}`)}</Table.Td>
      <Table.Td>{formatNumber(device.readings)}</Table.Td>
      <Table.Td>{formatTemperature(device.minC, 2)}</Table.Td>
      <Table.Td>{formatTemperature(device.maxC, 2)}</Table.Td>
      <Table.Td>{formatTemperature(device.meanC, 2)}</Table.Td>
    </>
  )
}
