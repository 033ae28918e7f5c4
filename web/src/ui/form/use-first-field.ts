import { useLayoutEffect, useRef } from 'react'

/**
 * The field at which a form begins: the first one, where somebody types or a list of the browser opens. One that opens a list or a calendar
 * of its own would cover the form; from a radio button or a tick, Enter would send a form that nobody has looked at.
 */
function firstField(form: HTMLFormElement) {
  const first = form.querySelector<HTMLInputElement>('input:not([type=hidden]), textarea, select')
  const opensOwn = first?.parentElement?.querySelector('[aria-haspopup]')
  return opensOwn || first?.type === 'radio' || first?.type === 'checkbox' ? null : first
}

/**
 * The ref of a form in a dialog. The dialog gives the focus to its first field when it opens, unless a field has
 * `data-autofocus`; without this the focus is on the button that closes the dialog.
 */
export function useFirstField() {
  const ref = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (!ref.current || ref.current.querySelector('[data-autofocus]')) return
    firstField(ref.current)?.setAttribute('data-autofocus', 'true')
  }, [])
  return ref
}
