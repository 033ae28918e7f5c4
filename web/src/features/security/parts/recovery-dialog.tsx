import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Closes by its button only, so that no stray click loses the codes. */
export function RecoveryDialog({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation('security')
  return (
    <Modal
      opened
      onClose={onKept}
      title={t('recovery.title')}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <RecoveryCodes codes={codes} onKept={onKept} />
    </Modal>
  )
}
