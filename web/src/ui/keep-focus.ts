/** So many elements that had the focus are remembered. */
const remembered = 20
const focusable = 'a[href], button, input, select, textarea, [tabindex]'
const layers = '[role=dialog], [role=alertdialog], [role=menu]'

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
  /** It gets the focus once it may be pressed again, unless somebody acts before. */
  let wanted: HTMLElement | null = null
  const note = (element: unknown) => {
    if (!(element instanceof HTMLElement)) return
    before = [element, ...before.filter((each) => each !== element && each.isConnected)].slice(0, remembered)
  }
  const acted = () => {
    givenBack = null
    wanted = null
  }
  const give = (element: HTMLElement): boolean => {
    element.focus({ preventScroll: true })
    if (document.activeElement !== element) return false
    givenBack = element
    return true
  }
  const enabled = new MutationObserver(() => {
    const at = document.activeElement ?? document.body
    if (!wanted || wanted.matches(':disabled') || (at !== document.body && at !== givenBack)) return
    give(wanted)
    wanted = null
  })
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
    // A dialog may be gone before it had the focus.
    const wentWith = (node: Node) =>
      (had && node.contains(had)) || (node instanceof Element && (node.matches(layers) || node.querySelector(layers)))
    const isGone = changes.some(({ removedNodes }) => [...removedNodes].some(wentWith))
    if (!isGone || (document.activeElement ?? document.body) !== document.body) return
    const below = [...document.querySelectorAll('[aria-modal=true]')].at(-1)
    for (const each of before) {
      if (!each.isConnected || below?.contains(each) === false) continue
      if (give(each)) return
      // A button is disabled while its call runs.
      if (wanted || !each.matches(':disabled')) continue
      wanted = each
      enabled.observe(each, { attributeFilter: ['disabled'] })
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
    enabled.disconnect()
    ends.abort()
  }
}
