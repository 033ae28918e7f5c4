import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AskedForm, type AskedFormProps } from './asked-form.tsx'
import { useAskedClose } from './use-asked-close.ts'

/** A longer form at the right edge (the whole of a phone); closing it with something unsaved asks first. */
export function FormDrawer(props: AskedFormProps) {
  const { t } = useTranslation()
  const close = useAskedClose(props.form, props.onClose)
  return (
    <Drawer
      opened
      onClose={close}
      title={props.title}
      position="right"
      size={560}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <AskedForm {...props} onClose={close} />
    </Drawer>
  )
}
