import { type Dwell, orderEvidence } from '@isotherm/contract/order-evidence.ts'
import { Paper, Table } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Sideways } from '../../../ui/sideways.tsx'
import { useNarrow } from '../../../ui/use-phone.ts'
import classes from './evidence.module.css'

/** How long an order waited at its stops, and how much of it beyond the free time. */
export function DwellPanel({ orderId }: { orderId: string }) {
  const { t } = useTranslation('orderEvidence')
  const isNarrow = useNarrow()
  const answer = useCall(orderEvidence.dwell, { params: { id: orderId } })
  const { stays = [], freeMinutes = 0 } = answer.data ?? {}
  const Stays = isNarrow ? StayList : StayTable
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="order-dwell">
      <h2 id="order-dwell">{t('dwell.title')}</h2>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.data && stays.length === 0 && <p className={frames.note}>{t('dwell.none')}</p>}
      {stays.length > 0 && <Stays stays={stays} freeMinutes={freeMinutes} />}
    </Paper>
  )
}

interface StaysProps {
  stays: readonly Dwell[]
  freeMinutes: number
}

const keyOf = ({ receiverId }: Dwell) => receiverId ?? 'pickup'

interface Cell {
  heading: string
  content: ReactNode
}

/** The cells of a stay, each with its heading. */
function useCells(freeMinutes: number): (stay: Dwell) => Cell[] {
  const { t } = useTranslation('orderEvidence')
  return ({ receiverId, name, timezone, doorsOpened, accuracyM, waitedMs, beyondMs, ...stay }) => [
    {
      heading: t('dwell.place'),
      content: (
        <>
          {receiverId === null ? t('dwell.pickup') : name}
          {doorsOpened !== null && doorsOpened > 0 && (
            <p className={frames.note}>{t('dwell.doors', { count: doorsOpened })}</p>
          )}
        </>
      ),
    },
    {
      heading: t('dwell.in'),
      content: (
        <>
          {formatTime(stay.in, timezone)}
          <p className={frames.note}>
            {t(`dwell.sources.${stay.inBy}`)}
            {accuracyM !== null && `, ${t('dwell.accuracy', { metres: accuracyM })}`}
          </p>
        </>
      ),
    },
    {
      heading: t('dwell.out'),
      content: (
        <>
          {stay.out ? formatTime(stay.out, timezone) : t('dwell.still')}
          {stay.outBy && <p className={frames.note}>{t(`dwell.sources.${stay.outBy}`)}</p>}
        </>
      ),
    },
    { heading: t('dwell.waited'), content: formatDuration(waitedMs) },
    {
      heading: t('dwell.beyond', { minutes: freeMinutes }),
      content: beyondMs > 0 ? <span className={classes.out}>{formatDuration(beyondMs)}</span> : '–',
    },
  ]
}

function StayTable({ stays, freeMinutes }: StaysProps) {
  const { t } = useTranslation('orderEvidence')
  const cellsOf = useCells(freeMinutes)
  const rows = stays.map((stay) => ({ key: keyOf(stay), cells: cellsOf(stay) }))
  return (
    <Sideways label={t('dwell.waited')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {rows[0]?.cells.map(({ heading }) => (
              <Table.Th key={heading}>{heading}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map(({ heading, content }) => (
                <Table.Td key={heading}>{content}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Sideways>
  )
}

/** The same on a phone, where five columns have no room. */
function StayList({ stays, freeMinutes }: StaysProps) {
  const cellsOf = useCells(freeMinutes)
  return stays.map((stay) => (
    <dl key={keyOf(stay)} className={classes.stay}>
      {cellsOf(stay).map(({ heading, content }) => (
        <Fragment key={heading}>
          <dt>{heading}</dt>
          <dd>{content}</dd>
        </Fragment>
      ))}
    </dl>
  ))
}
