import { useLayoutEffect, useRef } from 'react'

const FIELDS = 'input:not([type=hidden]), textarea, select'

/** The field at which a form begins: the first one, or the chosen one of its radio buttons. A field that opens a list when it gets the focus is left out: the list would cover the form. */
function firstField(form: HTMLFormElement) {
  const first = form.querySelector<HTMLInputElement>(FIELDS)
  if (first?.type === 'radio') return form.querySelector(`input[type=radio][name="${first.name}"]:checked`) ?? first
  const opensList = first?.hasAttribute('aria-haspopup') && !first.readOnly
  return opensList ? null : first
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
