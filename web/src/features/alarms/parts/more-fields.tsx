import { Checkbox, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { timeZones } from '../../../lib/country-and-zone-choices.ts'
import { dayName } from '../../../lib/times.ts'
import { TimeField } from '../../../ui/time-field.tsx'
import type { PartProps } from './form-props.ts'
import { RecipientsField } from './recipients-field.tsx'
import { AmountField, FieldErrors, Sentence } from './sentence.tsx'

/** Reminders, a second list of people, the message when all is well again. */
export function FollowUpFields({ values, change, errors }: PartProps) {
  const { t } = useTranslation('alarms')
  const amount = (name: 'escalateMinutes' | 'reminderMinutes') => (
    <AmountField
      label={t(`form.amounts.${name}`)}
      unit={t('units.min')}
      value={values[name]}
      onChange={(next) => change({ [name]: next })}
      path={name}
      error={errors[name]}
    />
  )
  return (
    <Stack gap="sm">
      <Switch
        label={t('form.notifyNormal')}
        checked={values.notifyNormal}
        onChange={(event) => change({ notifyNormal: event.currentTarget.checked })}
      />
      <Switch
        label={t('form.reminds')}
        checked={values.reminds}
        onChange={(event) => change({ reminds: event.currentTarget.checked })}
      />
      {values.reminds && (
        <div>
          <Sentence text={t('form.sentences.reminder')} fields={{ every: amount('reminderMinutes') }} />
          <FieldErrors errors={errors} paths={['reminderMinutes']} />
        </div>
      )}
      <Switch
        label={t('form.escalates')}
        checked={values.escalates}
        onChange={(event) => change({ escalates: event.currentTarget.checked })}
      />
      {values.escalates && (
        <>
          <div>
            <Sentence text={t('form.sentences.escalation')} fields={{ after: amount('escalateMinutes') }} />
            <FieldErrors errors={errors} paths={['escalateMinutes']} />
          </div>
          <RecipientsField
            path="escalation"
            lines={values.escalation}
            onChange={(escalation) => change({ escalation })}
            errors={errors}
          />
        </>
      )}
    </Stack>
  )
}

const days = [1, 2, 3, 4, 5, 6, 7]

/** The hours in which it is armed; always, unless said otherwise. */
export function ScheduleFields({ values, change, errors }: PartProps) {
  const { t, i18n } = useTranslation('alarms')
  const { schedule } = values
  const set = (next: Partial<typeof schedule>) => change({ schedule: { ...schedule, ...next } })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language names the days
  const names = useMemo(() => days.map((day) => ({ day, name: dayName(day) })), [i18n.language])
  const time = (name: 'from' | 'to') => (
    <TimeField
      label={t(`form.schedule.${name}`)}
      isLabelHidden
      value={schedule[name]}
      onChange={(next) => set({ [name]: next })}
      error={Boolean(errors[`schedule.${name}`])}
      data-path={`schedule.${name}`}
    />
  )
  return (
    <Stack gap="sm">
      <Switch
        label={t('form.schedule.switch')}
        checked={values.isScheduled}
        onChange={(event) => change({ isScheduled: event.currentTarget.checked })}
      />
      {values.isScheduled && (
        <>
          <Checkbox.Group
            label={t('form.schedule.days')}
            value={schedule.days.map(String)}
            onChange={(chosen) => set({ days: chosen.map(Number) })}
            error={errors['schedule.days']}
          >
            <Group gap="6px 14px" mt={6}>
              {names.map(({ day, name }) => (
                <Checkbox key={day} size="xs" value={String(day)} label={name} />
              ))}
            </Group>
          </Checkbox.Group>
          <div>
            <Sentence text={t('form.sentences.hours')} fields={{ from: time('from'), to: time('to') }} />
            <FieldErrors errors={errors} paths={['schedule.from', 'schedule.to']} />
            {schedule.to <= schedule.from && (
              <Text size="xs" c="dimmed" mt={4}>
                {t(schedule.to === schedule.from ? 'form.schedule.wholeDay' : 'form.schedule.overnight')}
              </Text>
            )}
          </div>
          <Select
            label={t('form.schedule.zone')}
            searchable
            allowDeselect={false}
            data={timeZones(schedule.zone)}
            value={schedule.zone}
            onChange={(zone) => zone && set({ zone })}
            error={errors['schedule.zone']}
          />
        </>
      )}
    </Stack>
  )
}
