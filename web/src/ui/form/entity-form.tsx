import { Alert, Button, Group, Stack } from '@mantine/core'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './entity-form.module.css'
import { LeaveGuard } from './leave-guard.tsx'
import type { EntityForm as Form } from './use-entity-form.ts'

interface EntityFormProps {
  form: Pick<Form<object>, 'saving' | 'failure' | 'submit' | 'isUnsaved'>
  submitLabel: string
  /** Names the form to screen readers. */
  label?: string
  /** Asks before unsaved words are lost; off on guest screens. */
  guarded?: boolean
  /** The search parameter that chooses between forms of one page: changing it leaves this one. */
  tab?: string
  /** Beside the primary button, such as Cancel. */
  secondary?: ReactNode
  disabled?: boolean
  /** It takes something away that was there: its button is red. */
  destructive?: boolean
  wide?: boolean
  ref?: Ref<HTMLFormElement>
  children: ReactNode
}

/** One column, labels above, primary button at the end; Ctrl Enter submits. */
export function EntityForm(props: EntityFormProps) {
  const { form, guarded = true } = props
  const { t } = useTranslation()
  const onKeyDown = (event: KeyboardEvent) => {
    // The Enter that opened a dialog, still held down, sends nothing.
    if (event.key === 'Enter' && event.repeat && event.target instanceof HTMLInputElement) event.preventDefault()
    if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey) || props.disabled) return
    event.preventDefault()
    form.submit()
  }
  return (
    <form
      ref={props.ref}
      noValidate
      aria-label={props.label}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        if (!props.disabled) form.submit()
      }}
    >
      {guarded && <LeaveGuard isUnsaved={form.isUnsaved} tab={props.tab} />}
      <Stack gap="md" maw={props.wide ? undefined : 480}>
        {props.children}
        {form.failure && (
          <Alert color="red" variant="light">
            {form.failure}
          </Alert>
        )}
        <Group gap="sm">
          <Button
            type="submit"
            color={props.destructive ? 'red.7' : undefined}
            loading={form.saving}
            disabled={props.disabled}
          >
            {props.submitLabel}
          </Button>
          {props.secondary}
          {/* Beside the buttons: a line of its own would make every form longer. */}
          <p className={classes.required} aria-hidden="true">
            {t('form.required')}
          </p>
        </Group>
      </Stack>
    </form>
  )
}
