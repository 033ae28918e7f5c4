import type { EndpointWithSecret } from '@isotherm/contract/webhooks.ts'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { hostOf } from '../endpoint-words.ts'

/** Shows a secret once: it closes by its button only, so that no stray click loses it. */
export function SecretDialog({ endpoint, onClose }: { endpoint: EndpointWithSecret; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const { secret, url } = endpoint
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('secret.title', { host: hostOf(url) })}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{t('secret.means')}</Text>
        <TextInput
          label={t('secret.label')}
          value={secret}
          readOnly
          spellCheck={false}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group gap="sm">
          <CopyButton value={secret}>
            {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'secret.copied' : 'secret.copy')}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {t('secret.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
