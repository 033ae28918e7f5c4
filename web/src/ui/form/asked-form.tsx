import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EntityForm } from './entity-form.tsx'
import type { EntityForm as Form } from './use-entity-form.ts'

/** The props of a form over a screen, in a dialog or a drawer. */
export interface AskedFormProps {
  title: string
  form: Pick<Form<object>, 'saving' | 'failure' | 'submit' | 'isUnsaved'>
  submitLabel: string
  onClose: () => void
  /** The words of the way out, where "Cancel" would be taken for the deed. */
  closeLabel?: string
  /** Nothing is there to be sent. */
  disabled?: boolean
  children: ReactNode
}

/** The form in it, with a way out; `onClose` is what asks first. */
export function AskedForm({
  title,
  form,
  submitLabel,
  onClose,
  closeLabel,
  disabled = false,
  children,
}: AskedFormProps) {
  const { t } = useTranslation()
  return (
    <EntityForm
      form={form}
      submitLabel={submitLabel}
      label={title}
      disabled={disabled}
      wide
      secondary={
        <Button variant="default" onClick={onClose} disabled={form.saving}>
          {closeLabel ?? t('actions.cancel')}
        </Button>
      }
    >
      {children}
    </EntityForm>
  )
}
