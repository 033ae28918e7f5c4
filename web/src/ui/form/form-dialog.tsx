import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { WithUnbroken } from '../unbroken.tsx'
import { AskedForm, type AskedFormProps } from './asked-form.tsx'
import { useAskedClose } from './use-asked-close.ts'

interface FormDialogProps extends AskedFormProps {
  /** Wider, where the form draws or shows something. */
  size?: ModalProps['size']
}

/** A short form in a dialog; closing it with something unsaved asks first. */
export function FormDialog({ size, ...props }: FormDialogProps) {
  const { t } = useTranslation()
  const close = useAskedClose(props.form, props.onClose)
  return (
    <Modal
      opened
      onClose={close}
      title={<WithUnbroken text={props.title} />}
      size={size}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <AskedForm {...props} onClose={close} />
    </Modal>
  )
}
