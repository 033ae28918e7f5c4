import { type LaneScorecard, laneSubjects, shipmentEvidence } from '@isotherm/contract/shipment-evidence.ts'
import { Group, Paper, SegmentedControl, Skeleton, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatNumber, withUnit } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration } from '../../../lib/times.ts'
import { ExportPage } from '../../../shared/export/export-page.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { PeriodFields } from '../../../ui/list/period-fields.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { usePeriod } from '../../../ui/list/use-period.ts'
import { Renewing } from '../../../ui/renewing.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import classes from '../parts/evidence.module.css'

const filters = { by: laneSubjects }
const columns = [
  'shipments',
  'onTime',
  'lateDays',
  'rolled',
  'coveredPct',
  'outPct',
  'excursions',
  'dwell',
  'proven',
] as const

/** Lanes or carriers by how punctual they are and what they do to the goods, of the last 90 days unless a period is chosen. */
export function LaneScorecardsPage() {
  const { t } = useTranslation('shipmentEvidence')
  const mayExport = useCan('dispatch.export')
  const list = useListParams({ filters })
  const { params, from, to, crossed, asked } = usePeriod(list)
  const by = list.asked.by ?? 'lane'
  const query = { by, ...asked }
  const answer = useCall(shipmentEvidence.scorecards, { query }, { keepPrevious: true, enabled: !crossed })
  const cards = crossed ? [] : answer.data
  return (
    <ExportPage
      title={t('scorecards.title')}
      actions={
        mayExport && (
          <ExportButton
            fileName="lane-scorecards.csv"
            disabled={!cards || cards.length === 0}
            load={() => call(shipmentEvidence.exportScorecards, { query }, { toastAll: true })}
          />
        )
      }
    >
      <Paper component="section" className={frames.panel} aria-label={t('scorecards.title')}>
        <Group justify="space-between" mb="sm" align="flex-start">
          <SegmentedControl
            aria-label={t('scorecards.subject')}
            value={by}
            onChange={(value) => params.change({ filters: { by: value === 'lane' ? undefined : value } })}
            data={laneSubjects.map((value) => ({ value, label: t(`scorecards.by.${value}`) }))}
          />
          <PeriodFields params={params} from={from} to={to} crossed={crossed} />
        </Group>
        {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!cards && !answer.error && <Skeleton height={200} />}
        <Renewing isOld={answer.isPlaceholderData}>
          {cards?.length === 0 && <p className={frames.note}>{t('scorecards.none')}</p>}
          {cards && cards.length > 0 && <Cards cards={cards} name={t(`scorecards.name.${by}`)} />}
        </Renewing>
        <p className={frames.note} style={{ marginTop: 12 }}>
          {t(from || to ? 'scorecards.note' : 'scorecards.usual')}
        </p>
      </Paper>
    </ExportPage>
  )
}

function Cards({ cards, name }: { cards: readonly LaneScorecard[]; name: string }) {
  const { t } = useTranslation('shipmentEvidence')
  return (
    <Sideways label={name}>
      <Table aria-label={t('scorecards.title')} className={classes.scores}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{name}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} ta="right">
                {t(`scorecards.column.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {cards.map((card) => (
            <Table.Tr key={card.id ?? ''}>
              <Table.Td>{card.name ?? t('scorecards.unknown')}</Table.Td>
              <Table.Td ta="right">{formatNumber(card.shipments)}</Table.Td>
              <Table.Td ta="right">
                {card.onTimePct === null
                  ? '–'
                  : t('scorecards.ofArrived', {
                      ...{ onTime: formatNumber(card.onTime), arrived: formatNumber(card.arrived) },
                      percent: formatNumber(card.onTimePct),
                    })}
              </Table.Td>
              <Table.Td ta="right">{card.lateDays === null ? '–' : formatNumber(card.lateDays)}</Table.Td>
              <Table.Td ta="right">{formatNumber(card.rolled)}</Table.Td>
              <Table.Td ta="right">{card.coveredPct === null ? '–' : withUnit(card.coveredPct, '%')}</Table.Td>
              <Table.Td ta="right">{card.outPct === null ? '–' : withUnit(card.outPct, '%')}</Table.Td>
              <Table.Td ta="right">{formatNumber(card.excursions)}</Table.Td>
              <Table.Td ta="right">{card.dwellMs === null ? '–' : formatDuration(card.dwellMs)}</Table.Td>
              <Table.Td ta="right">
                {card.treatments === 0 ? '–' : `${formatNumber(card.proven)} / ${formatNumber(card.treatments)}`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Sideways>
  )
}
