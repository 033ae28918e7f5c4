import type { NewShareLink } from '@isotherm/contract/share-links.ts'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { addressOf } from '../subject.ts'

/** Shows the address of a new link, once: it closes by its button only, so that no stray click loses it. */
export function MadeLinkDialog({ link, onClose }: { link: NewShareLink; onClose: () => void }) {
  const { t } = useTranslation('shareLinks')
  const address = addressOf(link)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('made.title', { label: link.label })}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{t(link.kind === 'wall' ? 'made.wallText' : 'made.text')}</Text>
        <TextInput
          label={t('made.address')}
          value={address}
          readOnly
          spellCheck={false}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group gap="sm">
          <CopyButton value={address}>
            {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'made.copied' : 'made.copy')}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {t('made.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
