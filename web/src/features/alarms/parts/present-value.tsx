import type { Trigger } from '@isotherm/contract/triggers.ts'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Sparkline } from '../../../charts/sparkline.tsx'
import { formatClock } from '../../../lib/times.ts'
import { Age } from '../../../ui/age.tsx'
import type { Tone } from '../../../ui/state-dot.tsx'
import { isBeyond } from '../present-value.ts'
import { conditionValue } from '../trigger-words.ts'
import { usePresentValue } from '../use-present-value.ts'
import classes from './triggers.module.css'

const arrows = { rising: IconArrowUpRight, falling: IconArrowDownRight, steady: IconArrowRight }

/** The value now, its age and direction, and the last two hours with the limit. */
export function PresentValue({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  const present = usePresentValue(trigger)
  if (!present) return null
  const { condition, limit } = trigger
  const { newest, points, direction, gapMs } = present
  if (!newest) return <p className={classes.note}>{t('now.none')}</p>
  const isOut = limit !== null && isBeyond(condition, limit, newest.value)
  const tone: Tone = isOut ? (condition.endsWith('Max') ? 'warm' : 'cold') : 'ok'
  const Arrow = direction && arrows[direction]
  const [from, to] = [Math.min(points[0]?.at ?? present.from, present.to), Math.max(newest.at, present.to)]
  return (
    <section className={classes.present} aria-label={t('now.title')}>
      <p className={classes.nowLine}>
        <span className={classes.now} data-tone={tone}>
          {conditionValue(condition, newest.value)}
        </span>
        {Arrow && (
          <span className={classes.direction}>
            <Arrow size={18} aria-hidden="true" />
            {t(`direction.${direction}`)}
          </span>
        )}
        <Age at={newest.at} />
        {limit !== null && <span>{t('now.limit', { limit: conditionValue(condition, limit) })}</span>}
      </p>
      {points.length > 1 && (
        <div className={classes.trend}>
          <Sparkline
            points={points}
            limits={condition.endsWith('Max') ? { min: null, max: limit } : { min: limit, max: null }}
            from={from}
            to={to}
            gapMs={gapMs}
            tone={tone}
            hasLimitLines
            label={t('now.chart', {
              from: conditionValue(condition, Math.min(...points.map(({ value }) => value))),
              to: conditionValue(condition, Math.max(...points.map(({ value }) => value))),
            })}
            width={360}
            height={84}
          />
          <p className={classes.ends} aria-hidden="true">
            <span>{formatClock(from)}</span>
            <span>{formatClock(to)}</span>
          </p>
        </div>
      )}
    </section>
  )
}
