import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'

interface VisibilityFieldProps {
  value?: string
  onChange?: (value: string) => void
  error?: ReactNode
}

/** Visibility of the group. */
export function VisibilityField(props: VisibilityFieldProps) {
  const { t } = useTranslation('groups')
  const mayHide = useCan('admin')
  return (
    <Radio.Group label={t('fields.visibility')} {...props}>
      <Stack gap="xs" mt={6}>
        <Radio
          value="public"
          label={t('public')}
          description={t('publicHelp')}
          disabled={!mayHide && props.value === 'private'}
        />
        <Radio
          value="private"
          label={t('private')}
          description={t(mayHide ? 'privateHelp' : 'privateAdmin')}
          disabled={!mayHide}
        />
      </Stack>
    </Radio.Group>
  )
}
