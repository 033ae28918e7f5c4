import type { BudgetState } from '@isotherm/contract/record-budget.ts'
import { Paper, Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import { StateDot } from '../../../ui/state-dot.tsx'
import classes from './records.module.css'

type Allowance = NonNullable<BudgetState['above']>
type Bound = NonNullable<BudgetState['neverAbove']>
const tones = { ok: 'ok', low: 'warning', spent: 'warm' } as const

/** The rest of the stability budget. */
export function BudgetCard({ budget }: { budget: BudgetState }) {
  const { t } = useTranslation('records')
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="record-budget">
      <h2 id="record-budget">
        {t('budget.title')} <StateDot tone={tones[budget.state]} label={t(`budget.state.${budget.state}`)} />
      </h2>
      <div className={classes.budget}>
        {budget.above && <Left side="above" allowance={budget.above} />}
        {budget.neverAbove && <Never side="above" bound={budget.neverAbove} />}
        {budget.below && <Left side="below" allowance={budget.below} />}
        {budget.neverBelow && <Never side="below" bound={budget.neverBelow} />}
      </div>
      <p className={frames.note}>
        {t('budget.asOf', { time: formatTime(budget.asOf) })}{' '}
        {budget.earlierRecords > 0 && t('budget.earlier', { count: budget.earlierRecords })} {t('budget.note')}
      </p>
    </Paper>
  )
}

function Left({ side, allowance }: { side: 'above' | 'below'; allowance: Allowance }) {
  const { t } = useTranslation('records')
  const { limitC, allowedMs, usedMs, usedHereMs, leftMs, exhaustedAt } = allowance
  const state = leftMs === 0 ? 'spent' : leftMs < allowedMs / 4 ? 'low' : 'ok'
  const caption = t(`budget.left.${side}`, { limit: formatTemperature(limitC), allowed: formatDuration(allowedMs) })
  return (
    <div>
      <div className={frames.note}>{caption}</div>
      <div className={classes.left} data-state={state}>
        {leftMs > 0 ? t('budget.leftOf', { left: formatDuration(leftMs) }) : t('budget.none')}
      </div>
      <Progress
        my={6}
        value={Math.min(100, (usedMs / allowedMs) * 100)}
        color={state === 'spent' ? 'red' : state === 'low' ? 'yellow' : undefined}
        aria-label={caption}
      />
      <div className={frames.note}>
        {t('budget.used', { used: formatDuration(usedMs), here: formatDuration(usedHereMs) })}
        {exhaustedAt && ` ${t('budget.exhausted', { time: formatTime(exhaustedAt) })}`}
      </div>
    </div>
  )
}

function Never({ side, bound }: { side: 'above' | 'below'; bound: Bound }) {
  const { t } = useTranslation('records')
  return (
    <div>
      <div className={frames.note}>{t(`budget.never.${side}`, { limit: formatTemperature(bound.limitC) })}</div>
      <div className={classes.left} data-state={bound.brokenAt ? 'spent' : 'ok'}>
        {bound.brokenAt ? formatTemperature(bound.worstC) : t('budget.kept')}
      </div>
      {bound.brokenAt && <div className={frames.note}>{t('budget.broken', { time: formatTime(bound.brokenAt) })}</div>}
    </div>
  )
}
