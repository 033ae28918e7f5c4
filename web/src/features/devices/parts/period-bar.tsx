import type { Period } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inOrder, instantOf, localTimeOf, presets } from '../../../lib/periods.ts'
import { formatTime, zoneName } from '../../../lib/times.ts'
import { DateField } from '../../../ui/date-field.tsx'
import frames from '../../../ui/frames.module.css'
import { type Chosen, isTooLong } from '../period-search.ts'
import classes from './details.module.css'

interface PeriodBarProps {
  chosen: Chosen
  period: Period
  zone: string
  onChoose: (next: Chosen) => void
}

/** Rules everything below it. */
export function PeriodBar({ chosen, period, zone, onChoose }: PeriodBarProps) {
  const { t } = useTranslation('devices')
  const [asking, setAsking] = useState(false)
  const isCustom = chosen.preset === 'custom'
  const names = Object.keys(presets) as (keyof typeof presets)[]
  return (
    <section className={classes.period} aria-label={t('period.label')}>
      <SegmentedControl
        size="sm"
        aria-label={t('period.label')}
        value={asking ? 'custom' : chosen.preset}
        onChange={(value) => {
          const preset = names.find((name) => name === value)
          setAsking(!preset)
          if (preset) onChoose({ preset })
        }}
        data={[
          ...names.map((value) => ({ value, label: t(`period.${value}`) })),
          { value: 'custom', label: t('period.custom') },
        ]}
      />
      {asking || isCustom ? (
        <CustomPeriod
          // Not by what a preset means now, which moves on with the clock and would take away what is being typed.
          key={isCustom ? `${period.from} ${period.to} ${zone}` : zone}
          period={period}
          zone={zone}
          onChoose={(custom) => {
            setAsking(false)
            onChoose({ preset: 'custom', period: custom })
          }}
        />
      ) : (
        <span className={frames.note}>
          {t('period.shown', {
            from: formatTime(period.from, zone),
            to: formatTime(Math.min(Date.now(), Date.parse(period.to)), zone),
          })}
        </span>
      )}
    </section>
  )
}

function CustomPeriod({
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
  const [error, setError] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const next = { from: instantOf(from, zone), to: instantOf(to, zone) }
    if (!next.from || !next.to) return setError(t('period.choose'))
    if (!inOrder(next)) return setError(t('period.notInOrder'))
    if (isTooLong(next)) return setError(t('period.tooLong', { days: limits.maxPeriodDays }))
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
        aria-label={t('period.from', { zone: zoneText })}
        value={from}
        error={error !== null}
        onChange={setFrom}
      />
      <span aria-hidden="true">–</span>
      <DateField
        withTime
        size="sm"
        className={classes.moment}
        aria-label={t('period.to', { zone: zoneText })}
        value={to}
        error={error !== null}
        onChange={setTo}
      />
      <span className={frames.note}>{zoneText}</span>
      <Button type="submit" size="sm" variant="default">
        {t('period.show')}
      </Button>
      {error && (
        <span role="alert" className={classes.error}>
          {error}
        </span>
      )}
    </form>
  )
}
