import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AskedForm, type AskedFormProps } from './asked-form.tsx'
import { useAskedClose } from './use-asked-close.ts'

/** A short form in a dialog; closing it with something unsaved asks first. */
export function FormDialog(props: AskedFormProps) {
  const { t } = useTranslation()
  const close = useAskedClose(props.form, props.onClose)
  return (
    <Modal opened onClose={close} title={props.title} closeButtonProps={{ 'aria-label': t('actions.close') }}>
      <AskedForm {...props} onClose={close} />
    </Modal>
  )
}
