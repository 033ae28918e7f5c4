import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordForm } from './record-form.tsx'
import { useAskedClose } from './use-asked-close.ts'
import type { RecordForm as Form } from './use-record-form.ts'

interface FormDialogProps {
  title: string
  form: Pick<Form<object>, 'saving' | 'failure' | 'submit' | 'isUnsaved'>
  submitLabel: string
  onClose: () => void
  children: ReactNode
}

/** A short form in a dialog; closing it with something unsaved asks first. */
export function FormDialog({ title, form, submitLabel, onClose, children }: FormDialogProps) {
  const { t } = useTranslation()
  const close = useAskedClose(form, onClose)
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': t('actions.close') }}>
      <RecordForm
        form={form}
        submitLabel={submitLabel}
        label={title}
        wide
        secondary={
          <Button variant="default" onClick={close} disabled={form.saving}>
            {t('actions.cancel')}
          </Button>
        }
      >
        {children}
      </RecordForm>
    </Modal>
  )
}
