import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface VisibilityFieldProps {
  value?: string
  onChange?: (value: string) => void
  error?: ReactNode
}

/** Who sees the group. */
export function VisibilityField(props: VisibilityFieldProps) {
  const { t } = useTranslation('groups')
  return (
    <Radio.Group label={t('fields.visibility')} {...props}>
      <Stack gap="xs" mt={6}>
        <Radio value="public" label={t('public')} description={t('publicHelp')} />
        <Radio value="private" label={t('private')} description={t('privateHelp')} />
      </Stack>
    </Radio.Group>
  )
}
