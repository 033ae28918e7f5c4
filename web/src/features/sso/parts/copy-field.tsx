import { Button, Group, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/copy-text.ts'
import { toastError, toastSuccess } from '../../../lib/toast.ts'

interface CopyFieldProps {
  label: string
  description?: string
  value: string
}

/** A text to be copied elsewhere, as it stands. */
export function CopyField({ label, description, value }: CopyFieldProps) {
  const { t } = useTranslation('sso')
  const copy = () =>
    copyText(value).then(
      () => toastSuccess(t('copied')),
      () => toastError(t('common:errors.notCopied')),
    )
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        flex={1}
        miw={0}
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={<IconCopy size={16} />}
        aria-label={t('copyOf', { label })}
        onClick={() => void copy()}
      >
        {t('copy')}
      </Button>
    </Group>
  )
}
