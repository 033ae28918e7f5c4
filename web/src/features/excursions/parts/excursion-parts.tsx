import type { Excursion, ListedExcursion } from '@isotherm/contract/excursions.ts'
import { Button, Tooltip } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatNumber, measureDecimals, thinSpace, withUnit } from '../../../lib/numbers.ts'
import { formatMoment, formatTime } from '../../../lib/times.ts'
import { AnchorLink } from '../../../ui/links.tsx'
import shared from '../../../ui/marks.module.css'
import { StateDot } from '../../../ui/state-dot.tsx'
import { Value } from '../../../ui/value.tsx'
import classes from './excursions.module.css'

interface Row {
  row: Excursion
}

const unitOf = ({ measure }: Excursion) => (measure === 'temperature' ? '°C' : '%')
const toneOf = ({ measure, side }: Excursion) =>
  measure === 'humidity' ? 'warning' : side === 'above' ? 'warm' : 'cold'

/** "Too warm". */
export function Kind({ row }: Row) {
  const { t } = useTranslation('excursions')
  return <StateDot tone={toneOf(row)} label={t(`kind.${row.measure}.${row.side}`)} />
}

/** When it ended, and by what where that is not a reading back inside. */
export function End({ row }: Row) {
  const { t } = useTranslation('excursions')
  if (row.isCutOff && !row.endAt) return <Value value={null} unit="" reason={t('hidden')} />
  if (!row.endAt) return <strong>{t('open')}</strong>
  const other = row.endedBy === 'gap' || row.endedBy === 'side' ? row.endedBy : null
  return (
    <>
      {formatMoment(row.endAt)}
      {other && <span className={shared.small}>{t(`endedBy.${other}`)}</span>}
    </>
  )
}

/** The value farthest outside, with the limit it broke. */
export function Peak({ row }: Row) {
  const { t } = useTranslation('excursions')
  const unit = unitOf(row)
  return (
    <>
      <Value
        value={row.peak}
        unit={unit}
        decimals={row.peak === null ? undefined : measureDecimals(row.measure, row.peak)}
        tone={row.measure === 'temperature' ? toneOf(row) : undefined}
        reason={t('hidden')}
      />
      {row.limit !== null && (
        <span className={`${shared.small} ${classes.whole}`}>{t('limit', { value: withUnit(row.limit, unit) })}</span>
      )}
    </>
  )
}

export function DegreeMinutes({ row }: Row) {
  const { t } = useTranslation('excursions')
  if (row.degreeMinutes === null) return <Value value={null} unit="" reason={t('hidden')} />
  const unit = `${unitOf(row)}·min`
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {formatNumber(row.degreeMinutes, row.degreeMinutes < 10 ? 1 : 0)}
      {thinSpace}
      {unit}
    </span>
  )
}

/** Warnings before somebody relies on it: found late, changed since, hidden in part. */
export function Marks({ row }: Row) {
  const { t } = useTranslation('excursions')
  const marks = [
    ...(row.isLate ? [{ name: 'late', time: formatTime(row.recordedAt) }] : []),
    ...(row.amendedAt ? [{ name: 'amended', time: formatTime(row.amendedAt) }] : []),
    ...(row.isCutOff ? [{ name: 'cutOff', time: '' }] : []),
  ]
  if (marks.length === 0) return null
  return (
    <span className={classes.marks}>
      {marks.map(({ name, time }) => (
        <Tooltip key={name} label={t(`marks.${name}Hint`, { time })}>
          <span className={shared.mark}>{t(`marks.${name}`)}</span>
        </Tooltip>
      ))}
    </span>
  )
}

/** "Fridge 1: Too warm, 3 May 2026, 10:00": how the controls of its row name it. */
export const rowNameOf = ({ deviceName, measure, side, startAt }: Excursion, t: TFunction<'excursions'>) =>
  t('rowOf', { name: deviceName, kind: t(`kind.${measure}.${side}`), time: formatTime(startAt) })

/** The cause, or that there is none yet: opens where it is given. */
export function CauseButton({ row, onAnnotate }: Row & { onAnnotate: () => void }) {
  const { t } = useTranslation('excursions')
  const [own] = row.annotations
  const words = own?.cause?.name ?? t('annotate.give')
  return (
    <Button
      size="compact-sm"
      variant={own?.cause ? 'light' : 'default'}
      aria-label={named(words, rowNameOf(row, t))}
      classNames={{ root: classes.cause, label: classes.causeLabel }}
      onClick={(event) => {
        event.stopPropagation()
        onAnnotate()
      }}
    >
      {words}
    </Button>
  )
}

/** The alarms that it fired and the records that it is in. */
export function Links({ row }: { row: ListedExcursion }) {
  if (row.triggers.length + row.records.length === 0) return null
  return (
    <span className={classes.links}>
      {row.triggers.map(({ id, alarmId, name }) => (
        <AnchorLink
          key={`t${id}`}
          size="sm"
          to="/alarms/$alarmId/details"
          params={{ alarmId }}
          search={{ trigger: id }}
          onClick={(event) => event.stopPropagation()}
        >
          {name}
        </AnchorLink>
      ))}
      {row.records.map(({ id, groupId, name }) =>
        groupId === null ? (
          <AnchorLink
            key={`r${id}`}
            size="sm"
            to="/records/$recordId"
            params={{ recordId: id }}
            onClick={(event) => event.stopPropagation()}
          >
            {name}
          </AnchorLink>
        ) : (
          <AnchorLink
            key={`r${id}`}
            size="sm"
            to="/groups/$groupId/records/$recordId"
            params={{ groupId, recordId: id }}
            onClick={(event) => event.stopPropagation()}
          >
            {name}
          </AnchorLink>
        ),
      )}
    </span>
  )
}
