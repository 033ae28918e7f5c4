/** So many elements that had the focus are remembered. */
const remembered = 20
const focusable = 'a[href], button, input, select, textarea, [tabindex]'

/** The element that was given the focus back, until somebody presses or points at something. */
let givenBack: Element | null = null

/** Whether it has the focus only because a dialog is gone: a screen that comes next may take it. */
export const isGivenBack = (element: Element | null): boolean => element !== null && element === givenBack

/**
 * Gives the focus back when the dialog, drawer or menu that had it is gone: to what had it last of what is still there, in the dialog below where there
 * is one. A dialog that is taken away whole does not do so by itself. Returns how to stop.
 */
export function keepFocus(): () => void {
  let before: HTMLElement[] = []
  const note = (element: unknown) => {
    if (!(element instanceof HTMLElement)) return
    before = [element, ...before.filter((each) => each !== element && each.isConnected)].slice(0, remembered)
  }
  const acted = () => {
    givenBack = null
  }
  const focused = ({ target }: Event) => note(target)
  // A button that is clicked has no focus in Safari, where a field would have kept it: on a phone its keyboard would open again.
  const clicked = ({ target }: Event) => note(target instanceof Element && target.closest(focusable))
  const ends = new AbortController()
  const { signal } = ends
  document.addEventListener('keydown', acted, { capture: true, signal })
  document.addEventListener('pointerdown', acted, { capture: true, signal })
  document.addEventListener('focusin', focused, { signal })
  document.addEventListener('click', clicked, { capture: true, signal })
  const observer = new MutationObserver((changes) => {
    watch()
    const had = before[0]
    const isGone = changes.some(({ removedNodes }) => [...removedNodes].some((node) => had && node.contains(had)))
    if (!isGone || (document.activeElement ?? document.body) !== document.body) return
    const below = [...document.querySelectorAll('[aria-modal=true]')].at(-1)
    for (const each of before) {
      if (!each.isConnected || below?.contains(each) === false) continue
      each.focus({ preventScroll: true })
      // A button that is disabled while its call runs takes no focus.
      if (document.activeElement !== each) continue
      givenBack = each
      return
    }
  })
  const watched = new WeakSet<Element>()
  /** Dialogs come and go in the portals beside the app, not deeper. */
  const watch = () => {
    for (const parent of [document.body, ...document.querySelectorAll('body > [data-portal]')]) {
      if (watched.has(parent)) continue
      watched.add(parent)
      observer.observe(parent, { childList: true })
    }
  }
  watch()
  return () => {
    observer.disconnect()
    ends.abort()
  }
}
