import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EntityForm } from './entity-form.tsx'
import type { EntityForm as Form } from './use-entity-form.ts'
import { useFirstField } from './use-first-field.ts'

/** The props of a form over a screen, in a dialog or a drawer. */
export interface AskedFormProps {
  title: string
  form: Pick<Form<object>, 'saving' | 'failure' | 'submit' | 'isUnsaved'>
  submitLabel: string
  onClose: () => void
  /** The act itself is to cancel something: a way out by that name would be taken for it. */
  cancels?: boolean
  /** It takes something away that was there, as what cancels does: its button is red. */
  destructive?: boolean
  /** Nothing is there to be sent. */
  disabled?: boolean
  children: ReactNode
}

/** The form in it, with a way out; `onClose` is what asks first. */
export function AskedForm(props: AskedFormProps) {
  const {
    title,
    form,
    submitLabel,
    onClose,
    cancels = false,
    disabled = false,
    destructive = cancels,
    children,
  } = props
  const { t } = useTranslation()
  return (
    <EntityForm
      ref={useFirstField()}
      form={form}
      submitLabel={submitLabel}
      label={title}
      disabled={disabled}
      destructive={destructive}
      wide
      secondary={
        <Button variant="default" onClick={onClose} disabled={form.saving}>
          {t(cancels ? 'actions.back' : 'actions.cancel')}
        </Button>
      }
    >
      {children}
    </EntityForm>
  )
}
