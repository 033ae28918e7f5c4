import type { ApiKey } from '@isotherm/contract/developer.ts'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../../lib/times.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { tryCommand } from '../code-samples.ts'
import { CopiedCode } from './copied-code.tsx'

export interface Secret {
  key: ApiKey
  secret: string
}

/** Shows the secret of a key, once: it closes by its button only, so that no stray click loses it. */
export function SecretDialog({ shown, onClose }: { shown: Secret; onClose: () => void }) {
  const { t } = useTranslation('developer')
  const { key, secret } = shown
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('secret.title', { name: key.name })}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{t('secret.text')}</Text>
        {key.oldSecretUntil && <Text size="sm">{t('secret.old', { time: formatMoment(key.oldSecretUntil) })}</Text>}
        <TextInput
          label={t('secret.label')}
          value={secret}
          readOnly
          spellCheck={false}
          data-autofocus
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div>
          <Text size="sm" mb={6}>
            {t('secret.try')}
          </Text>
          <CopiedCode label={t('secret.command')} code={tryCommand(location.origin, secret)} />
        </div>
        <Group gap="sm">
          <CopyButton value={secret}>
            {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'code.copied' : 'secret.copy')}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {t('secret.seen')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
