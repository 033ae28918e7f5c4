import type { TrackRecord } from '@isotherm/contract/records.ts'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatMoment } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import type { Column } from '../../../ui/list/column.ts'
import { StateDot } from '../../../ui/state-dot.tsx'
import { OrderLink } from './record-facts.tsx'
import { RecordState, SignatureState } from './record-state.tsx'
import classes from './records.module.css'

export function useRecordColumns(): Column<TrackRecord>[] {
  const { t } = useTranslation('records')
  return [
    {
      key: 'name',
      title: t('columns.name'),
      sort: 'name',
      render: ({ name, lot, order }) => (
        <>
          <span className={classes.name}>{name}</span>
          {order && (
            <div className={frames.note}>
              {named(t('facts.order'), '')}
              <OrderLink order={order} />
            </div>
          )}
          {lot && <div className={frames.note}>{t('lotOf', { lot })}</div>}
        </>
      ),
    },
    { key: 'state', title: t('columns.state'), render: (record) => <RecordState record={record} /> },
    {
      key: 'start',
      title: t('columns.start'),
      sort: 'startAt',
      isTime: true,
      render: ({ startAt }) => formatMoment(startAt),
    },
    {
      key: 'end',
      title: t('columns.end'),
      hideBelow: 1100,
      isTime: true,
      render: ({ endAt, destination }) =>
        endAt ? formatMoment(endAt) : destination ? t('atDestination', { name: destination.name }) : t('byHand'),
    },
    {
      key: 'devices',
      title: t('columns.devices'),
      align: 'right',
      hideBelow: 820,
      render: ({ deviceCount }) => formatNumber(deviceCount),
    },
    {
      key: 'excursions',
      align: 'right',
      title: t('columns.excursions'),
      render: ({ excursions, state }) =>
        state === 'planned' ? (
          '–'
        ) : excursions > 0 ? (
          <StateDot tone="warm" label={formatNumber(excursions)} />
        ) : (
          formatNumber(0)
        ),
    },
    {
      key: 'signature',
      title: t('columns.signature'),
      hideBelow: 1100,
      render: ({ signature }) => (signature ? <SignatureState signature={signature} /> : '–'),
    },
  ]
}
