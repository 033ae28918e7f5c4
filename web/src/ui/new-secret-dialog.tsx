import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './copy-button.tsx'
import { closeNewSecret, type NewSecret } from './new-secret.ts'

/** Shows a secret once: it closes by its button only, so that no stray click loses it. */
export function NewSecretDialog({ imei, secret }: NewSecret) {
  const { t } = useTranslation('deviceLife')
  return (
    <Modal
      opened
      onClose={closeNewSecret}
      title={t('newSecret.title', { imei })}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{t('newSecret.text')}</Text>
        <TextInput
          label={t('newSecret.secret')}
          value={secret}
          readOnly
          spellCheck={false}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group gap="sm">
          <Button onClick={closeNewSecret}>{t('newSecret.seen')}</Button>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {t(copied ? 'newSecret.copied' : 'newSecret.copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Modal>
  )
}
