import type { Period } from '@isotherm/contract/common.ts'
import { SegmentedControl } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nowMs } from '../../../lib/now.ts'
import { presets } from '../../../lib/periods.ts'
import { formatSpan } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import type { Chosen } from '../period-search.ts'
import classes from './details.module.css'

// Its fields are loaded when somebody asks for them: most look at a preset.
const CustomPeriod = lazy(async () => ({ default: (await import('./custom-period.tsx')).CustomPeriod }))

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
        <Suspense fallback={null}>
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
        </Suspense>
      ) : (
        <span className={frames.note}>
          {t('period.shown', {
            ...formatSpan(period.from, Math.min(nowMs(), Date.parse(period.to)), zone),
          })}
        </span>
      )}
    </section>
  )
}
