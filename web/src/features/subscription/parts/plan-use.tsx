import { type Entitlement, type PlanUse as Figures, planMeasures } from '@isotherm/contract/subscription.ts'
import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatDate } from '../../../lib/times.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import classes from './subscription.module.css'

/** How much the company has of each thing that licences limit: figures, and a bar where there is a limit. */
export function PlanUse({ use }: { use: NonNullable<Entitlement['use']> }) {
  const { t } = useTranslation('subscription')
  const { retentionMonths: months, deletion } = use
  return (
    <Panel title={t('use.title')} text={t('use.lead')}>
      <ul className={classes.measures}>
        {planMeasures.map((measure) => (
          <Measure key={measure} name={t(`use.measures.${measure}`)} figures={use[measure]} />
        ))}
      </ul>
      <p className={classes.retention}>
        {months === null ? t('use.keptForEver') : t('use.kept', { count: months })}
        {deletion && <Deletion of={deletion} />}
      </p>
    </Panel>
  )
}

/** Which readings go, from when on, and how to keep a copy. */
function Deletion({
  of: { months, at, from, isAnnounced },
}: {
  of: NonNullable<NonNullable<Entitlement['use']>['deletion']>
}) {
  const { t } = useTranslation('subscription')
  const values = { months: formatNumber(months), date: formatDate(at), from: formatDate(from) }
  return (
    <>
      {' '}
      {t(isAnnounced ? 'use.shrinks' : 'use.deletes', values)} <TextLink to="/reports">{t('use.copy')}</TextLink>
    </>
  )
}

function Measure({ name, figures: { used, limit } }: { name: string; figures: Figures }) {
  const { t } = useTranslation('subscription')
  const values = { used: formatNumber(used), limit: formatNumber(limit ?? 0) }
  const isFull = limit !== null && used >= limit
  const words = limit === null ? t('use.unlimited', values) : t('use.ofLimit', values)
  return (
    <li>
      <span className={classes.name}>{name}</span>
      <span className={classes.figures}>{words}</span>
      {limit !== null && (
        <Progress
          className={classes.bar}
          size="sm"
          value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
          color={isFull ? 'var(--state-warning)' : 'var(--state-ok)'}
          aria-label={name}
        />
      )}
      {isFull && (
        <span className={classes.full}>
          <StateDot tone="warning" label={used > (limit ?? 0) ? t('use.over') : t('use.full')} />
        </span>
      )}
    </li>
  )
}
