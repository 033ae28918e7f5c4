import { useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { isGivenBack } from '../../ui/keep-focus.ts'

/**
 * A screen that is left may take the focus along, with the dialog or row that led on: the next screen gets it, so that Tab goes on in its
 * content and not at the top of the page. So it does where the dialog has given it back. Focus that stays elsewhere, as in the navigation, is left there.
 */
export function useFocusOnScreen(content: RefObject<HTMLElement | null>) {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const last = useRef(path)
  useEffect(() => {
    const isOther = last.current !== undefined && path !== last.current
    last.current = path
    const { activeElement } = document
    const isFree = activeElement === document.body || isGivenBack(activeElement)
    if (isOther && isFree) content.current?.focus({ preventScroll: true })
  }, [path, content])
}
