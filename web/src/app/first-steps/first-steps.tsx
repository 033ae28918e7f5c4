import { company } from '@isotherm/contract/company.ts'
import { type Dashboard, dashboard } from '@isotherm/contract/dashboard.ts'
import { Button, Paper } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddSample } from '../../features/devices/parts/add-sample.tsx'
import { call } from '../../lib/call.ts'
import { isCallError } from '../../lib/call-error.ts'
import { can, useCan } from '../../lib/can.ts'
import { rememberProfile } from '../../lib/profile.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastError } from '../../lib/toast.ts'
import { AnchorLink, ButtonLink } from '../../ui/links.tsx'
import shared from '../overview.module.css'
import classes from './first-steps.module.css'
import { rightOf, screenOf } from './steps.ts'

interface FirstStepsProps {
  steps: NonNullable<Dashboard['firstSteps']>
  sampleDeviceId: string | null
}

/** The first steps of a new company, and which of them are done; the next one has the button. */
export function FirstSteps({ steps, sampleDeviceId }: FirstStepsProps) {
  const { t } = useTranslation('firstSteps')
  const next = steps.find(({ isDone }) => !isDone)?.step
  return (
    <Paper className={shared.panel} component="section" aria-label={t('title')}>
      <div className={classes.head}>
        <h2 className={shared.heading}>{t('title')}</h2>
        <span className={classes.count}>
          {t('count', { done: steps.filter(({ isDone }) => isDone).length, all: steps.length })}
        </span>
        <HideButton />
      </div>
      <ol className={classes.steps}>
        {steps.map(({ step, isDone }) => (
          <li key={step} data-done={isDone || undefined}>
            {isDone ? <IconCircleCheck size={22} aria-hidden="true" /> : <IconCircle size={22} aria-hidden="true" />}
            <div className={classes.text}>
              <strong>{t(`steps.${step}.title`)}</strong>
              {isDone ? <span className={classes.done}>{t('done')}</span> : <p>{t(`steps.${step}.text`)}</p>}
              {step === 'device' && !isDone && (
                <p className={classes.sample}>
                  {t('sample.text')}{' '}
                  {sampleDeviceId === null ? (
                    <AddSample />
                  ) : (
                    <AnchorLink to="/devices/$deviceId/details" params={{ deviceId: sampleDeviceId }} size="sm">
                      {t('sample.look')}
                    </AnchorLink>
                  )}
                </p>
              )}
            </div>
            {!isDone && can(rightOf[step]) && (
              <ButtonLink {...screenOf[step]} variant={step === next ? 'filled' : 'default'} className={classes.button}>
                {t(`steps.${step}.action`)}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </Paper>
  )
}

function HideButton() {
  const { t } = useTranslation('firstSteps')
  const mayHide = useCan(company.hideFirstSteps)
  const [isBusy, setBusy] = useState(false)
  if (!mayHide) return null
  const hide = async () => {
    setBusy(true)
    try {
      rememberProfile({ company: await call(company.hideFirstSteps, { body: { hidden: true } }) })
      await refetchCalls(dashboard.figures)
    } catch (error) {
      if (isCallError(error)) toastError(error.message)
    }
    setBusy(false)
  }
  return (
    <Button variant="subtle" color="gray" size="compact-sm" loading={isBusy} onClick={() => void hide()}>
      {t('hide')}
    </Button>
  )
}
