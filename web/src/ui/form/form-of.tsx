import { createContext, Fragment, type ReactNode, useState } from 'react'

/** The forms of one thing: each says whether something typed in it is not saved. */
export const FormsOfThing = createContext<Set<() => boolean> | null>(null)

interface FormOfProps<T> {
  thing: T
  /** Another one is another beginning. */
  version: string | number
  children: (thing: T) => ReactNode
}

/**
 * A form of a thing that is loaded again and again. With a newer version it begins anew, but not while something typed is unsaved: that
 * stays, beside the thing that it was typed for, and the server says so where it was changed meanwhile.
 */
export function FormOf<T>({ thing, version, children }: FormOfProps<T>) {
  const [forms] = useState(() => new Set<() => boolean>())
  const [held, setHeld] = useState({ thing, version })
  const isNewer = thing !== held.thing || version !== held.version
  if (isNewer && (version === held.version || ![...forms].some((isUnsaved) => isUnsaved()))) setHeld({ thing, version })
  return (
    <FormsOfThing value={forms}>
      <Fragment key={held.version}>{children(held.thing)}</Fragment>
    </FormsOfThing>
  )
}
