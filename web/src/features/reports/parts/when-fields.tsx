import { cadences, reports } from '@isotherm/contract/reports.ts'
import { Fieldset, Group, NativeSelect, NumberInput, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import type { EntityForm } from '../../../ui/form/use-entity-form.ts'
import { TimeField } from '../../../ui/time-field.tsx'
import type { ReportValues } from '../report-values.ts'

const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const

/** How often, on which day, at what time by the clock of which zone; and what a run then tells of. */
export function WhenFields({ form }: { form: EntityForm<ReportValues> }) {
  const { t } = useTranslation('reports')
  const { values, getInputProps, setFieldValue } = form.fields
  const zones = useCall(reports.timezones, undefined, { staleTimeMs: Number.POSITIVE_INFINITY }).data ?? []
  const known = zones.some(({ name }) => name === values.timezone)
  const offered = zones.map(({ name, offsetMinutes }) => ({
    value: name,
    label: `${name.replaceAll('_', ' ')} (${offsetText(offsetMinutes)})`,
  }))
  return (
    <Fieldset legend={t('form.when')}>
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          aria-label={t('fields.cadence')}
          data={cadences.map((value) => ({ value, label: t(`cadence.${value}`) }))}
          value={values.cadence}
          onChange={(cadence) => setFieldValue('cadence', cadence)}
        />
        <Group grow align="flex-start">
          {values.cadence === 'weekly' && (
            <NativeSelect
              label={t('fields.weekday')}
              data={weekdays.map((value) => ({ value, label: t(`weekdays.${value}`) }))}
              {...getInputProps('weekday')}
            />
          )}
          {values.cadence === 'monthly' && (
            <NumberInput
              label={t('fields.monthDay')}
              min={1}
              max={31}
              allowDecimal={false}
              {...getInputProps('monthDay')}
            />
          )}
          <TimeField label={t('fields.time')} {...getInputProps('time')} />
        </Group>
        <Select
          label={t('fields.timezone')}
          searchable
          allowDeselect={false}
          data={known ? offered : [{ value: values.timezone, label: values.timezone.replaceAll('_', ' ') }, ...offered]}
          {...getInputProps('timezone')}
        />
        <Text size="sm" c="dimmed">
          {t(`form.covers.${values.cadence}`)}
        </Text>
      </Stack>
    </Fieldset>
  )
}

/** "UTC+5:30" */
function offsetText(minutes: number): string {
  const rest = Math.abs(minutes) % 60
  const sign = minutes < 0 ? '\u2212' : '+'
  return `UTC${sign}${Math.floor(Math.abs(minutes) / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}
