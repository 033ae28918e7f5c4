import { Radio, SegmentedControl, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import type { EntityForm as Form } from '../../../ui/form/use-entity-form.ts'
import type { AlarmValues } from '../alarm-values.ts'
import classes from './form.module.css'
import type { Places } from './form-props.ts'
import { FollowUpFields, ScheduleFields } from './more-fields.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { RuleFields } from './rule-fields.tsx'
import { TargetsField } from './targets-field.tsx'

interface AlarmFormProps {
  form: Form<AlarmValues>
  places: Places
  submitLabel: string
  /** The alarm's name when nobody gives it one. */
  suggestedName: string
  /** True for a saved alarm: its kind stays. */
  fixedKind: boolean
  /** Targets of it that are not listed. */
  unlisted?: number
  /** Under the third question on narrow screens, beside the form on wide ones. */
  preview?: ReactNode
}

/** One page, three plain questions: what is watched, when does it fire, who hears of it and how. */
export function AlarmForm({ form, places, submitLabel, suggestedName, fixedKind, unlisted = 0 }: AlarmFormProps) {
  const { t } = useTranslation('alarms')
  const mayHide = useCan('admin')
  const values = form.fields.getValues()
  const { errors } = form.fields
  const change = (next: Partial<AlarmValues>) => form.fields.setValues(next)
  const part = { values, change, errors }
  return (
    <EntityForm form={form} submitLabel={submitLabel} label={t('form.label')} wide>
      <Question number={1} title={t('form.what')}>
        <TargetsField {...part} more={unlisted} />
      </Question>
      <Question number={2} title={t('form.when')}>
        <RuleFields {...part} places={places} fixedKind={fixedKind} />
        <ScheduleFields {...part} />
      </Question>
      <Question number={3} title={t('form.who')}>
        <RecipientsField
          path="recipients"
          lines={values.recipients}
          onChange={(recipients) => change({ recipients })}
          errors={errors}
        />
        <FollowUpFields {...part} />
      </Question>
      <Question title={t('form.rest')}>
        <TextInput
          label={t('form.name')}
          description={fixedKind ? undefined : t('form.nameHelp')}
          placeholder={suggestedName}
          maxLength={80}
          {...form.fields.getInputProps('name')}
        />
        <div>
          <div id="alarm-severity" className={classes.label}>
            {t('form.severity')}
          </div>
          <SegmentedControl
            aria-labelledby="alarm-severity"
            value={values.severity}
            onChange={(severity) => change({ severity: severity as AlarmValues['severity'] })}
            data={(['warning', 'critical'] as const).map((value) => ({
              value,
              label: t(`triggers:severity.${value}`),
            }))}
          />
          <div className={classes.help}>{t(`form.severityHelp.${values.severity}`)}</div>
        </div>
        <Radio.Group label={t('form.visibility')} {...form.fields.getInputProps('visibility')}>
          <Stack gap="xs" mt={6}>
            <Radio value="public" label={t('form.public')} description={t('form.publicHelp')} />
            <Radio
              value="private"
              label={t('form.private')}
              description={t(mayHide ? 'form.privateHelp' : 'form.privateAdmin')}
              disabled={!mayHide}
            />
          </Stack>
        </Radio.Group>
      </Question>
    </EntityForm>
  )
}

function Question({ number, title, children }: { number?: number; title: string; children: ReactNode }) {
  return (
    <section className={classes.question}>
      <h2 className={classes.title}>
        {number && (
          <span className={classes.number} aria-hidden="true">
            {number}
          </span>
        )}
        {title}
      </h2>
      {children}
    </section>
  )
}
