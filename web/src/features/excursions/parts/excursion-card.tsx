import type { ListedExcursion } from '@isotherm/contract/excursions.ts'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import shared from '../../../ui/marks.module.css'
import { DegreeMinutes, End, Kind, Marks, Peak } from './excursion-parts.tsx'
import classes from './excursions.module.css'

/** An excursion on a phone; `ofAll`: with the name of its device. */
export function ExcursionCard({ row, ofAll }: { row: ListedExcursion; ofAll: boolean }) {
  const { t } = useTranslation('excursions')
  const [own] = row.annotations
  return (
    <span className={classes.card}>
      {ofAll && <strong>{row.deviceName}</strong>}
      <span className={classes.cardRow}>
        <Kind row={row} />
        <Marks row={row} />
      </span>
      <span className={classes.cardRow}>
        <span>
          {formatTime(row.startAt)}
          <span className={shared.small}>
            – <End row={row} />
          </span>
        </span>
        <strong className={classes.whole}>{formatDuration(row.durationMs)}</strong>
      </span>
      <span className={classes.cardRow}>
        <span>
          <Peak row={row} />
        </span>
        <DegreeMinutes row={row} />
      </span>
      {own?.note && <span className={classes.note}>{own.note}</span>}
      {own?.owner && <span className={shared.small}>{t('ownerIs', { name: own.owner.name })}</span>}
    </span>
  )
}
