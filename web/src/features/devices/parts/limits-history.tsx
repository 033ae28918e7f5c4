import { type Device, devices } from '@isotherm/contract/devices.ts'
import { Paper, Skeleton, Table, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import classes from './details.module.css'
import { limitsText } from './limits-text.ts'

const longestMs = 365 * 86_400_000

/** Which limits judged when: those of the last year, newest first. */
export function LimitsHistory({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const { id, createdAt, limits } = device
  // biome-ignore lint/correctness/useExhaustiveDependencies: another limit makes another history
  const period = useMemo(() => {
    const to = Date.now() + 60_000
    return {
      from: new Date(Math.max(Date.parse(createdAt), to - longestMs)).toISOString(),
      to: new Date(to).toISOString(),
    }
  }, [createdAt, limits])
  const answer = useCall(devices.chart, { params: { id }, query: { ...period, points: 10 } }, { keepPrevious: true })
  const spans = answer.data?.limits.toReversed()
  return (
    <Paper className={classes.panel} component="section" aria-label={t('limits.history')}>
      <Title order={2}>{t('limits.history')}</Title>
      {answer.error && !spans && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!spans && !answer.error && <Skeleton height={60} mt="sm" />}
      {spans && (
        <Table mt="xs" aria-label={t('limits.history')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('limits.since')}</Table.Th>
              <Table.Th>{t('columns.temperature')}</Table.Th>
              <Table.Th>{t('columns.humidity')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {spans.map((span) => (
              <Table.Tr key={span.from}>
                <Table.Td>{formatTime(span.from)}</Table.Td>
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
