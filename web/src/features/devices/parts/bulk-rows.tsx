import { type BulkResult, type BulkRow, bulkVerdicts } from '@isotherm/contract/device-bulk.ts'
import { Paper, Stack, Table } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import frames from '../../../ui/frames.module.css'
import { PageButtons } from '../../../ui/list/page-buttons.tsx'
import classes from './bulk.module.css'

const perPage = 100
const rank = Object.fromEntries(bulkVerdicts.map((verdict, index) => [verdict, index])) as Record<string, number>
const byUrgency = (a: BulkRow, b: BulkRow) => (rank[a.verdict] ?? 0) - (rank[b.verdict] ?? 0) || a.row - b.row

/** Every row of the file with its verdict, errors first. */
export function BulkRows({ result }: { result: BulkResult }) {
  const { t } = useTranslation('deviceBulk')
  const [page, setPage] = useState(1)
  const rows = result.rows.toSorted(byUrgency)
  const pages = Math.ceil(rows.length / perPage)
  return (
    <Paper className={frames.panel} component="section" aria-label={t('rows')}>
      <Stack gap="sm">
        <ul className={classes.counts}>
          {bulkVerdicts.map((verdict) => (
            <li key={verdict} data-verdict={verdict}>
              <strong>{formatNumber(result.counts[verdict] ?? 0)}</strong> {t(`counts.${verdict}`)}
            </li>
          ))}
        </ul>
        <Table className={classes.table} aria-label={t('rows')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.row}>{t('row')}</Table.Th>
              <Table.Th className={classes.device}>{t('device')}</Table.Th>
              <Table.Th>{t('verdict')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice((page - 1) * perPage, page * perPage).map((row) => (
              <Table.Tr key={row.row}>
                <Table.Td>{row.row}</Table.Td>
                <Table.Td>
                  {row.name}
                  <div className={classes.imei}>{row.imei}</div>
                </Table.Td>
                <Table.Td>
                  <Verdict row={row} applied={result.applied} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {result.problemsLeftOut > 0 && (
          <div className={classes.small}>
            {t('problemsLeftOut', { count: result.problemsLeftOut, formatted: formatNumber(result.problemsLeftOut) })}
          </div>
        )}
        {pages > 1 && (
          <nav aria-label={t('pages')}>
            <PageButtons page={page} pageCount={pages} onTurn={setPage} />
          </nav>
        )}
      </Stack>
    </Paper>
  )
}

function Verdict({ row, applied }: { row: BulkRow; applied: boolean }) {
  const { t } = useTranslation('deviceBulk')
  return (
    <>
      <span className={classes.verdict} data-verdict={row.verdict}>
        {t(`${applied ? 'done' : 'verdicts'}.${row.verdict}`)}
      </span>
      {row.changes.length > 0 && named('', row.changes.join(', '))}
      {row.problems.length > 0 && (
        <ul className={classes.problems}>
          {row.problems.map(({ column, message }) => (
            <li key={`${column} ${message}`}>
              {column && <span className={classes.column}>{named(column, '')}</span>}
              {message}
            </li>
          ))}
        </ul>
      )}
      {row.ignored.length > 0 && (
        <div className={classes.small}>{t('ignored', { columns: row.ignored.join(', ') })}</div>
      )}
    </>
  )
}
