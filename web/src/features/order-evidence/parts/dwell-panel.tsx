import { orderEvidence } from '@isotherm/contract/order-evidence.ts'
import { Paper, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Sideways } from '../../../ui/sideways.tsx'
import classes from './evidence.module.css'

/** How long an order waited at its stops, and how much of it beyond the free time. */
export function DwellPanel({ orderId }: { orderId: string }) {
  const { t } = useTranslation('orderEvidence')
  const answer = useCall(orderEvidence.dwell, { params: { id: orderId } })
  const { stays = [], freeMinutes = 0 } = answer.data ?? {}
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="order-dwell">
      <h2 id="order-dwell">{t('dwell.title')}</h2>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.data && stays.length === 0 && <p className={frames.note}>{t('dwell.none')}</p>}
      {stays.length > 0 && (
        <Sideways label={t('dwell.waited')}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('dwell.place')}</Table.Th>
                <Table.Th>{t('dwell.in')}</Table.Th>
                <Table.Th>{t('dwell.out')}</Table.Th>
                <Table.Th>{t('dwell.waited')}</Table.Th>
                <Table.Th>{t('dwell.beyond', { minutes: freeMinutes })}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {stays.map((stay) => (
                <Table.Tr key={stay.receiverId ?? 'pickup'}>
                  <Table.Td>
                    {stay.receiverId === null ? t('dwell.pickup') : stay.name}
                    {stay.doorsOpened !== null && stay.doorsOpened > 0 && (
                      <p className={frames.note}>{t('dwell.doors', { count: stay.doorsOpened })}</p>
                    )}
                  </Table.Td>
                  <Table.Td>
                    {formatTime(stay.in, stay.timezone)}
                    <p className={frames.note}>
                      {t(`dwell.sources.${stay.inBy}`)}
                      {stay.accuracyM !== null && `, ${t('dwell.accuracy', { metres: stay.accuracyM })}`}
                    </p>
                  </Table.Td>
                  <Table.Td>
                    {stay.out ? formatTime(stay.out, stay.timezone) : t('dwell.still')}
                    {stay.outBy && <p className={frames.note}>{t(`dwell.sources.${stay.outBy}`)}</p>}
                  </Table.Td>
                  <Table.Td>{formatDuration(stay.waitedMs)}</Table.Td>
                  <Table.Td className={stay.beyondMs > 0 ? classes.out : undefined}>
                    {stay.beyondMs > 0 ? formatDuration(stay.beyondMs) : '–'}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      )}
    </Paper>
  )
}
