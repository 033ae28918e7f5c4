import { type Alarm, alarms, Snooze } from '@isotherm/contract/alarms.ts'
import { localTimeOf } from '@isotherm/contract/zone-times.ts'
import { Radio, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { nowMs } from '../../../lib/now.ts'
import { useSession } from '../../../lib/session.ts'
import { formatDuration, formatTime, zoneNameAt } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { latestSnooze, type SnoozeChoice, snoozeChoices, snoozeMinutes, snoozeUntil } from '../snooze-times.ts'
import { refetchTriggers } from '../use-trigger-actions.ts'

/** Snoozes one alarm, or all of them, until a time at most 7 days ahead. */
export function SnoozeDialog({ alarm, onClose }: { alarm: Pick<Alarm, 'id' | 'name'> | 'all'; onClose: () => void }) {
  const { t } = useTranslation('alarms')
  const zone = useSession((state) => state.timezone)
  const form = useEntityForm({
    initialValues: { choice: '1h' as SnoozeChoice, own: '' },
    schema: Snooze.required(),
    // Null would unsnooze: what is no time is left out, and the field says that it is needed.
    toBody: ({ choice, own }) => ({ until: snoozeUntil(choice, own, zone, nowMs()) ?? '' }),
    save: async (body) => {
      if (alarm === 'all') return (await call(alarms.snoozeAll, { body })).changed
      await call(alarms.snooze, { params: { id: alarm.id }, body })
      return 1
    },
    onSaved: (changed) => {
      toastSuccess(alarm === 'all' ? t('done.snoozedAll', { count: changed }) : t('done.snoozed'))
      void refetchTriggers()
      onClose()
    },
  })
  const { choice, own } = form.fields.getValues()
  const until = snoozeUntil(choice, own, zone, nowMs())
  const { error, ...input } = form.fields.getInputProps('own')
  const label = (each: SnoozeChoice) =>
    each === 'tomorrow' || each === 'own' ? t(`snooze.${each}`) : formatDuration(snoozeMinutes[each] * 60_000)
  return (
    <FormDialog
      title={alarm === 'all' ? t('snooze.titleAll') : t('snooze.title', { name: alarm.name })}
      form={form}
      submitLabel={t('snooze.action')}
      onClose={onClose}
    >
      <Text size="sm">{t('snooze.means')}</Text>
      <Radio.Group label={t('snooze.until')} {...form.fields.getInputProps('choice')}>
        <Stack gap="xs" mt={6}>
          {snoozeChoices.map((value) => (
            <Radio key={value} value={value} label={label(value)} />
          ))}
        </Stack>
      </Radio.Group>
      {choice === 'own' && (
        <DateField
          withTime
          label={t('snooze.ownLabel', { zone: zoneNameAt(own, zone) })}
          min={localTimeOf(nowMs(), zone)}
          max={localTimeOf(latestSnooze(nowMs()), zone)}
          {...input}
          error={error ?? form.fields.errors.until}
        />
      )}
      {until && (
        <Text size="sm" c="dimmed">
          {t('snooze.untilTime', { time: formatTime(until) })}
        </Text>
      )}
    </FormDialog>
  )
}
