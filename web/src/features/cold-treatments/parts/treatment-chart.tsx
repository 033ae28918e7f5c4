import type { Treatment } from '@isotherm/contract/cold-treatments.ts'
import { useTranslation } from 'react-i18next'
import { formatTemperature, withUnit } from '../../../lib/numbers.ts'
import { formatSpan } from '../../../lib/times.ts'
import classes from './treatment.module.css'

const [width, height, pad] = [1_000, 150, 8]
const hourMs = 3_600_000

/** The warmest probe of each hour with the limits of the protocol; an hour without a reading breaks the line. */
export function TreatmentChart({ treatment: { hours, protocol } }: { treatment: Treatment }) {
  const { t } = useTranslation('coldTreatments')
  const points = hours.map(({ at, celsius }) => ({ at: Date.parse(at), celsius }))
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first.at === last.at) return null
  const measured = points.map(({ celsius }) => celsius)
  const limits = protocol.rows.map(({ maxC }) => maxC)
  const [low, high] = [Math.min(...measured, ...limits), Math.max(...measured, ...limits)]
  const x = (at: number) => ((at - first.at) / (last.at - first.at)) * width
  const y = (celsius: number) => height - pad - ((celsius - low) / (high - low || 1)) * (height - 2 * pad)
  const path = points.map(({ at, celsius }, index) => {
    const before = points[index - 1]
    return `${before && at - before.at <= hourMs ? 'L' : 'M'}${x(at).toFixed(1)} ${y(celsius).toFixed(1)}`
  })
  const [min, max] = [Math.min(...measured), Math.max(...measured)].map((value) => formatTemperature(value, 2))
  const span = formatSpan(first.at, last.at)
  return (
    <>
      <h3 className={classes.title}>{t('chart')}</h3>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('chartSummary', { min, max })}
      >
        {limits.map((limit) => (
          <line key={limit} x1={0} x2={width} y1={y(limit)} y2={y(limit)} />
        ))}
        <path d={path.join('')} />
      </svg>
      <div className={classes.scale}>
        <span>{span.from}</span>
        <span>{t('chartScale', { min, max, limits: limits.map((limit) => withUnit(limit, '°C')).join(', ') })}</span>
        <span>{span.to}</span>
      </div>
    </>
  )
}
