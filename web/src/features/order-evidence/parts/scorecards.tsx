import { orderEvidence, type ScorecardQuery, scorecardSubjects } from '@isotherm/contract/order-evidence.ts'
import { Button, Group, Paper, SegmentedControl, Table } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { formatNumber, withUnit } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Renewing } from '../../../ui/renewing.tsx'
import { Sideways } from '../../../ui/sideways.tsx'

/** Drivers, vehicles or lanes of the last 90 days by what an insurer asks for; of one driver where an id is given. */
export function Scorecards({ driverId }: { driverId?: string }) {
  const { t } = useTranslation('orderEvidence')
  const mayExport = useCan('dispatch.export')
  const [by, setBy] = useState<ScorecardQuery['by']>('driver')
  const query = { by, ...(driverId && { id: driverId }) }
  const answer = useCall(orderEvidence.scorecards, { query }, { keepPrevious: true })
  const cards = answer.data ?? []
  const load = async () => {
    try {
      download(await call(orderEvidence.exportScorecards, { query }, { toastAll: true }), 'scorecards.csv')
    } catch {
      // The call has toasted it.
    }
  }
  const columns = ['orders', 'hours', 'rate', 'out', 'silence', 'dwell', 'late'] as const
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="scorecards">
      <h2 id="scorecards">{t('scorecards.title')}</h2>
      <Group justify="space-between" mb="sm">
        {driverId === undefined && (
          <SegmentedControl
            aria-label={t('scorecards.title')}
            value={by}
            onChange={(value) => setBy(value as ScorecardQuery['by'])}
            data={scorecardSubjects.map((value) => ({ value, label: t(`scorecards.by.${value}`) }))}
          />
        )}
        {mayExport && (
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void load()}>
            {t('scorecards.export')}
          </Button>
        )}
      </Group>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      <Renewing isOld={answer.isPlaceholderData}>
        {answer.data && cards.length === 0 && <p className={frames.note}>{t('scorecards.none')}</p>}
        {cards.length > 0 && (
          <Sideways label={t(`scorecards.by.${by}`)}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t(`scorecards.name.${by}`)}</Table.Th>
                  {columns.map((column) => (
                    <Table.Th key={column} ta="right">
                      {t(`scorecards.${column}`)}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {cards.map((card) => (
                  <Table.Tr key={card.id ?? ''}>
                    <Table.Td>{card.name ?? t('scorecards.unknown')}</Table.Td>
                    <Table.Td ta="right">{formatNumber(card.orders)}</Table.Td>
                    <Table.Td ta="right">{formatNumber(card.hours)}</Table.Td>
                    <Table.Td ta="right">
                      {card.excursionRate === null ? '–' : formatNumber(card.excursionRate)}
                    </Table.Td>
                    <Table.Td ta="right">{formatDuration(card.outMs)}</Table.Td>
                    <Table.Td ta="right">{formatDuration(card.silentMs)}</Table.Td>
                    <Table.Td ta="right">{card.dwellMs === null ? '–' : formatDuration(card.dwellMs)}</Table.Td>
                    <Table.Td ta="right">
                      {card.latePct === null ? '–' : `${formatNumber(card.late)} (${withUnit(card.latePct, '%')})`}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Sideways>
        )}
      </Renewing>
      <p className={frames.note} style={{ marginTop: 12 }}>
        {t('scorecards.period')}
      </p>
    </Paper>
  )
}
