import { useLayoutEffect, useRef } from 'react'

/** From a radio button or a tick, Enter would send a form that nobody has looked at; the input of a file is out of sight. */
const NO_BEGINNING = ['radio', 'checkbox', 'file']

/** The field at which a form begins: the first one, unless it opens a list or a calendar of its own, which would cover the form. */
function firstField(form: HTMLFormElement) {
  const first = form.querySelector<HTMLInputElement>('input:not([type=hidden]), textarea, select')
  const opensOwn = first?.parentElement?.querySelector('[aria-haspopup]')
  return opensOwn || NO_BEGINNING.includes(first?.type ?? '') ? null : first
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
