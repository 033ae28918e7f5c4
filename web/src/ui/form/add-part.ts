import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'

const fields = 'input:not([type=hidden]), select, textarea'

/**
 * Adds a part to the form of a button. By the keyboard its first field gets the focus: the part stands before the button, all of its fields back.
 * A pointer leaves the focus, as a phone would open its keyboard.
 */
export function addPart({ currentTarget, detail }: MouseEvent<HTMLElement>, insert: () => void): void {
  const form = currentTarget.closest('form')
  const all = () => [...(form?.querySelectorAll<HTMLElement>(fields) ?? [])]
  const before = new Set(all())
  flushSync(insert)
  // A key is no click of any number.
  if (detail === 0)
    all()
      .find((each) => !before.has(each))
      ?.focus()
}
