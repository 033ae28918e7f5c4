import { Button, Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordForm } from './record-form.tsx'
import { useAskedClose } from './use-asked-close.ts'
import type { RecordForm as Form } from './use-record-form.ts'

interface FormDrawerProps {
  title: string
  form: Pick<Form<object>, 'saving' | 'failure' | 'submit' | 'isUnsaved'>
  submitLabel: string
  onClose: () => void
  children: ReactNode
}

/** A longer form at the right edge (the whole of a phone); closing it with something unsaved asks first. */
export function FormDrawer({ title, form, submitLabel, onClose, children }: FormDrawerProps) {
  const { t } = useTranslation()
  const close = useAskedClose(form, onClose)
  return (
    <Drawer
      opened
      onClose={close}
      title={title}
      position="right"
      size={560}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
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
    </Drawer>
  )
}
