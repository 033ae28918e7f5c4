type Child = Node | string | null | undefined | false
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>

/** Sets attributes; a function listens to the event of its name. False, null and undefined leave it out. */
function give(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value))
  }
}

const isChild = (child: Child): child is Node | string => child !== null && child !== undefined && child !== false

/** An element with its attributes and children. Texts are texts: no markup of anybody comes into the page. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  give(element, attributes)
  element.append(...children.filter(isChild))
  return element
}

/** The same for a drawing. */
export function s(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  give(element, attributes)
  element.append(...children.filter(isChild))
  return element
}

/** The place in the page that everything is drawn into. */
export function pageRoot(): HTMLElement {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no #root')
  return root
}

const controls = 'a[href], button, input, select, textarea, summary'
const wordsOf = (element: Element) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`

/** Draws the page anew. The focus stays where it was: at the same control, or in the content where that is gone. */
export function drawAnew(root: HTMLElement, build: () => Child[]): void {
  const had = document.activeElement
  const isWithin = had instanceof HTMLElement && root.contains(had)
  const alike = () => [...root.querySelectorAll<HTMLElement>(controls)].filter((one) => wordsOf(one) === words)
  const words = had && wordsOf(had)
  const at = alike().indexOf(had as HTMLElement)
  // A form that stays is moved as soon as what is around it is built.
  root.replaceChildren(...build().filter(isChild))
  if (!isWithin) return
  const main = root.querySelector('main')
  if (main) main.tabIndex = -1
  const next = had.isConnected ? had : (alike()[at] ?? main)
  next?.focus({ preventScroll: true })
}
