import { dashboard } from '@isotherm/contract/dashboard.ts'
import { ActionIcon, Paper } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { can } from '../../lib/can.ts'
import { useCompany } from '../../lib/profile.ts'
import { useCall } from '../../lib/query.ts'
import { ButtonLink } from '../../ui/links.tsx'
import classes from './first-steps.module.css'
import { rightOf, type Step, screenOf } from './steps.ts'

/** While a company is new: what comes next, at the lower edge of the page of something that was just set up. `after` is what the page shows. */
export function NextStep({ after }: { after: Step }) {
  const { t } = useTranslation('firstSteps')
  const company = useCompany()
  const [isClosed, setClosed] = useState(false)
  const { data } = useCall(dashboard.figures, {}, { enabled: company?.firstStepsHidden === false && !isClosed })
  // The page of the sample device is of no device that was set up.
  const isSample = useParams({ strict: false }).deviceId === data?.sampleDeviceId
  const next = data?.firstSteps?.find(
    ({ step, isDone }) => !isDone && can(rightOf[step]) && (step !== after || isSample),
  )?.step
  if (!next || isClosed) return null
  return (
    <Paper className={classes.next} component="aside" aria-label={t('next')}>
      <span className={classes.nextText}>
        <strong>{t('next')}</strong> {t(`steps.${next}.title`)}
      </span>
      <ButtonLink {...screenOf[next]} size="compact-md" variant="light">
        {t(`steps.${next}.action`)}
      </ButtonLink>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('common:actions.close')}
        onClick={() => setClosed(true)}
      >
        <IconX size={18} aria-hidden="true" />
      </ActionIcon>
    </Paper>
  )
}
