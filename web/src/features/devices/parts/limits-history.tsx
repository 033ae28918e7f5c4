import { type Device, devices } from '@isotherm/contract/devices.ts'
import { Paper, Skeleton, Table, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { limitsText } from '../../../lib/limits-text.ts'
import { useCall } from '../../../lib/query.ts'
import { formatMoment, zoneOfMany } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'

/** Which limits judged when, newest first. */
export function LimitsHistory({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const answer = useCall(devices.limits, { params: { id: device.id } })
  const spans = answer.data
  return (
    <Paper className={frames.panel} component="section" aria-label={t('limits.history')}>
      <Title order={2}>{t('limits.history')}</Title>
      {answer.error && !spans && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!spans && !answer.error && <Skeleton height={60} mt="sm" />}
      {spans && (
        <Table mt="xs" aria-label={t('limits.history')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                {t('limits.since')} ({zoneOfMany()})
              </Table.Th>
              <Table.Th>{t('columns.temperature')}</Table.Th>
              <Table.Th>{t('columns.humidity')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {spans.map((span) => (
              <Table.Tr key={span.from}>
                <Table.Td>{formatMoment(span.from)}</Table.Td>
                <Table.Td>{limitsText(span.temperatureMinC, span.temperatureMaxC, '°C')}</Table.Td>
                <Table.Td>{limitsText(span.humidityMinPct, span.humidityMaxPct, '%')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  )
}
