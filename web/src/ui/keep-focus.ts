/** So many elements that had the focus are remembered. */
const remembered = 20
const focusable = 'a[href], button, input, select, textarea, [tabindex]'
const layers = '[role=dialog], [role=alertdialog], [role=menu]'

/** Nothing outside of these comes next where something in them is gone. */
const frames = '[role=dialog], [role=alertdialog], main'
const fields = 'input, textarea, select'
/** Outside of these nothing has to do with what is gone. */
const regions = 'section, form, ul, ol, table'

/** So long a button may be disabled that is not seen to wait for anything. */
const patienceMs = 500

/** The element that was given the focus back, until somebody presses or points at something. */
let givenBack: Element | null = null
let givenBackAt = 0

/** Nobody reads the name of a button so quickly. */
const notReadMs = 600

/** Whether it has the focus only because a dialog is gone: a screen that comes next may take it. */
export const isGivenBack = (element: Element | null): boolean => element !== null && element === givenBack

/** Dialogs come and go in these, beside the app and not deeper. */
const portals = 'body > [data-portal]'
const isPortal = (node: Node) => node === document.body || (node instanceof Element && node.matches(portals))

const isFree = () => (document.activeElement ?? document.body) === document.body

/** Whether it takes keys and is seen. */
const takesFocus = (element: HTMLElement) =>
  element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility?.() !== false

function* aroundOf(element: HTMLElement): Generator<HTMLElement> {
  for (let at = element.parentElement; at; at = at.parentElement) yield at
}

/**
 * Finds what comes next where something is gone: at its place, else after it, else before it, in the row, form or dialog that it stood in, and
 * then in what is around that.
 */
function* nextTo(parent: Node, gone: Pick<MutationRecord, 'previousSibling' | 'nextSibling'>): Generator<HTMLElement> {
  const isThere = (node: Node | null): node is Node => node !== null && parent.contains(node)
  let [edge, isBefore] = isThere(gone.previousSibling) ? [gone.previousSibling, true] : [gone.nextSibling, false]
  for (let at: Node | null = parent; at instanceof HTMLElement && at !== document.body; at = at.parentElement) {
    const all = [...at.querySelectorAll<HTMLElement>(focusable)].filter(takesFocus)
    const follows = (each: Node) => {
      if (!edge?.isConnected) return true
      if (edge.contains(each)) return !isBefore
      return (edge.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    }
    yield* all.filter(follows)
    yield* all.filter((each) => !follows(each)).reverse()
    if (at.matches(frames)) return yield at
    ;[edge, isBefore] = [at, true]
  }
}

/**
 * Gives the focus back when what had it is gone. After a dialog, drawer or menu it goes to what had it last of what is still there, in the dialog below
 * where there is one: a dialog that is taken away whole does not do so by itself. After a button or a row it goes to what comes next, and a button that
 * is disabled while its call runs gets it again afterwards. Returns how to stop.
 */
export function keepFocus(): () => void {
  let before: HTMLElement[] = []
  /** The elements around those, from the inside out: where one of them stood that is gone. */
  const around = new WeakMap<HTMLElement, HTMLElement[]>()
  /** It gets the focus once it may be pressed again, unless somebody acts before. */
  let wanted: HTMLElement | null = null
  /** Whether it was a pointer that somebody acted with last: a phone would open its keyboard for a field. */
  let isPointing = false
  const note = (element: unknown) => {
    if (!(element instanceof HTMLElement)) return
    if (element !== before[0]) follow(element)
    around.set(element, [...aroundOf(element)])
    before = [element, ...before.filter((each) => each !== element && each.isConnected)].slice(0, remembered)
  }
  const acted = (event: Event) => {
    if (event instanceof KeyboardEvent && isGivenBack(document.activeElement)) {
      // A key that is held down, or pressed twice, was meant for the button before.
      const isForBefore = event.repeat || performance.now() < givenBackAt + notReadMs
      if (isForBefore && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
      if (isForBefore) return
    }
    isPointing = event.type === 'pointerdown'
    givenBack = null
    wanted = null
  }
  const give = (element: HTMLElement): boolean => {
    element.focus({ preventScroll: true })
    if (document.activeElement !== element) return false
    givenBack = element
    givenBackAt = performance.now()
    return true
  }
  const focusFrame = (place: HTMLElement) => {
    const frame = place.closest<HTMLElement>(frames)
    if (frame) give(frame)
  }
  const giveNext = (parent: Node, gone: Pick<MutationRecord, 'previousSibling' | 'nextSibling'>, mayType: boolean) => {
    for (const each of nextTo(parent, gone)) if ((mayType || !each.matches(fields)) && give(each)) return
    for (const each of before) if (each.isConnected && takesFocus(each) && give(each)) return
  }
  let patience: ReturnType<typeof setTimeout> | undefined
  /** The element that had the focus is disabled: it gets it again, or its neighbour where it stays so. */
  const rest = (element: HTMLElement) => {
    clearTimeout(patience)
    const isLost = () => element.isConnected && (isFree() || document.activeElement === element)
    if (!element.matches(':disabled')) {
      if (isFree()) give(element)
    } else if (!element.hasAttribute('data-loading')) {
      patience = setTimeout(() => {
        const { parentElement } = element
        if (parentElement && isLost() && element.matches(':disabled'))
          giveNext(parentElement, { previousSibling: element, nextSibling: null }, !isPointing)
      }, patienceMs)
    }
  }
  const lost = new MutationObserver((changes) => {
    const had = before[0]
    if (!had) return
    if (had.isConnected) {
      if (changes.some(({ type }) => type === 'attributes')) rest(had)
      return
    }
    const gone = changes.findLast(
      ({ target, removedNodes }) => target.isConnected && [...removedNodes].some((node) => node.contains(had)),
    )
    // Never to a field: the next letter may be meant for the screen, which would be typed there.
    if (gone && isFree() && !isPortal(gone.target)) giveNext(gone.target, gone, false)
  })
  /** From now on it is seen when this one is gone or disabled: it, and what it stands in, are few; the whole page would be much. */
  const follow = (element: HTMLElement) => {
    clearTimeout(patience)
    lost.disconnect()
    lost.observe(element, { attributeFilter: ['disabled', 'data-loading'] })
    for (let at = element.parentElement; at; at = at.parentElement) lost.observe(at, { childList: true })
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
      const place = each.isConnected ? each : around.get(each)?.find(({ isConnected }) => isConnected)
      if (!place || isPortal(place) || below?.contains(place) === false) continue
      // The button of a dialog may be gone with what it did: what comes next has the focus then.
      if (place === each) give(each)
      else if (place.closest(regions)) giveNext(place, { previousSibling: null, nextSibling: null }, false)
      else focusFrame(place)
      if (!isFree()) return
      // A button is disabled while its call runs.
      if (wanted || place !== each || !each.matches(':disabled')) continue
      wanted = each
      enabled.observe(each, { attributeFilter: ['disabled'] })
    }
  })
  const watched = new WeakSet<Element>()
  const watch = () => {
    for (const parent of [document.body, ...document.querySelectorAll(portals)]) {
      if (watched.has(parent)) continue
      watched.add(parent)
      observer.observe(parent, { childList: true })
    }
  }
  watch()
  return () => {
    observer.disconnect()
    lost.disconnect()
    clearTimeout(patience)
    enabled.disconnect()
    ends.abort()
  }
}
