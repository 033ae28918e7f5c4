import type { Visibility } from '@isotherm/contract/devices.ts'
import { Radio, Select, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatDuration } from '../../../lib/times.ts'
import { intervalChoices } from '../intervals.ts'
import type { LimitValues } from '../limit-values.ts'
import { LimitsFields } from './limits-fields.tsx'

/** The fields that setting up and changing a device share. */
export interface SettingsValues {
  name: string
  tag: string
  intervalS: string
  visibility: Visibility
  limits: LimitValues
}

export function SettingsFields<V extends SettingsValues>({ fields }: { fields: UseFormReturnType<V> }) {
  const { t } = useTranslation('devices')
  const form = fields as unknown as UseFormReturnType<SettingsValues>
  const mayHide = useCan('admin')
  const { intervalS } = form.getValues()
  const choices = [...new Set([...intervalChoices, Number(intervalS)])].sort((a, b) => a - b)
  return (
    <Stack gap="md">
      <TextInput label={t('columns.name')} maxLength={80} {...form.getInputProps('name')} />
      <TextInput
        label={t('columns.tag')}
        description={t('form.tagHelp')}
        maxLength={60}
        {...form.getInputProps('tag')}
      />
      <Select
        label={t('form.interval')}
        description={t('form.intervalHelp')}
        allowDeselect={false}
        data={choices.map((seconds) => ({ value: String(seconds), label: formatDuration(seconds * 1000) }))}
        {...form.getInputProps('intervalS')}
      />
      <Radio.Group label={t('form.visibility')} {...form.getInputProps('visibility')}>
        <Stack gap="xs" mt={6}>
          <Radio value="public" label={t('visibility.public')} description={t('visibility.publicHelp')} />
          <Radio
            value="private"
            label={t('visibility.private')}
            description={t(mayHide ? 'visibility.privateHelp' : 'visibility.privateAdmin')}
            disabled={!mayHide}
          />
        </Stack>
      </Radio.Group>
      <LimitsFields
        values={form.getValues().limits}
        onChange={(limits) => form.setFieldValue('limits', limits)}
        errors={form.errors}
      />
    </Stack>
  )
}
