import type { Period } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { instantOf, localTimeOf, plusDays } from '@isotherm/contract/zone-times.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nowMs } from '../../../lib/now.ts'
import { inOrder } from '../../../lib/periods.ts'
import { zoneName } from '../../../lib/times.ts'
import { CalendarMenu } from '../../../ui/calendar-menu.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import frames from '../../../ui/frames.module.css'
import { isTooLong } from '../period-search.ts'
import classes from './details.module.css'

/** A day that still runs ends now: a chart has nothing to show of the rest of it. */
const endOf = (instant: string) => new Date(Math.min(Date.parse(instant), nowMs())).toISOString()

/** A period of one's own, from a time to a time. */
export function CustomPeriod({
  period,
  zone,
  onChoose,
}: {
  period: Period
  zone: string
  onChoose: (period: Period) => void
}) {
  const { t } = useTranslation('devices')
  const [from, setFrom] = useState(() => localTimeOf(period.from, zone))
  const [to, setTo] = useState(() => localTimeOf(period.to, zone))
  const [error, setError] = useState<{ text: string; from: boolean; to: boolean } | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const next = { from: instantOf(from, zone), to: instantOf(to, zone) }
    if (!next.from || !next.to) return setError({ text: t('period.choose'), from: !next.from, to: !next.to })
    const both = { from: true, to: true }
    if (!inOrder(next)) return setError({ text: t('period.notInOrder'), ...both })
    if (isTooLong(next)) return setError({ text: t('period.tooLong', { days: limits.maxPeriodDays }), ...both })
    setError(null)
    onChoose(next)
  }
  const zoneText = zoneName(zone, period.to)
  return (
    <form className={classes.custom} onSubmit={submit} noValidate>
      <DateField
        withTime
        size="sm"
        className={classes.moment}
        label={t('period.from', { zone: zoneText })}
        labelProps={{ className: classes.momentLabel }}
        value={from}
        error={error?.from}
        onChange={setFrom}
      />
      <span className={classes.between} aria-hidden="true">
        –
      </span>
      <DateField
        withTime
        size="sm"
        className={classes.moment}
        label={t('period.to', { zone: zoneText })}
        labelProps={{ className: classes.momentLabel }}
        value={to}
        error={error?.to}
        onChange={setTo}
      />
      <span className={`${frames.note} ${classes.between}`} aria-hidden="true">
        {zoneText}
      </span>
      <Button type="submit" size="sm" variant="default">
        {t('period.show')}
      </Button>
      <CalendarMenu
        onChoose={({ first, last }) =>
          onChoose({ from: instantOf(first, zone), to: endOf(instantOf(plusDays(last, 1), zone)) })
        }
      />
      {error && (
        <span role="alert" className={classes.error}>
          {error.text}
        </span>
      )}
    </form>
  )
}
