import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { hasLetterKeys } from './letter-keys.ts'
import { ownNavigation, screenOf } from './navigation.ts'

const ShortcutsHelp = lazy(async () => ({ default: (await import('./shortcuts-help.tsx')).ShortcutsHelp }))

const goMs = 1_500

/** The keys that work on every screen while nobody types. Elements name their own by aria-keyshortcuts. */
export function Shortcuts() {
  const navigate = useNavigate()
  const [isHelpOpen, setHelpOpen] = useState(false)
  // By the time of the keys, and not of their turn: a busy page hears the second one late.
  const goesUntil = useRef(0)

  const letters: Record<string, (at: number) => unknown> = {
    '/': () => focus(document.querySelector('main [role="searchbox"]') ?? keyed('Control+K')),
    j: () => moveBy(1),
    k: () => moveBy(-1),
    e: () => keyed('e', document.activeElement?.closest('[data-row], [data-letter-keys]'))?.click(),
    g: (at) => {
      goesUntil.current = at + goMs
    },
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isCovered()) return
    if (event.key === 'Escape') return closeLast(event.target)
    if (isTyping(event.target)) return
    if (event.key === '?') setHelpOpen(true)
    else if (!hasLetterKeys()) return
    else if (goesUntil.current > event.timeStamp) {
      goesUntil.current = 0
      const item = ownNavigation().find(({ key }) => key === event.key)
      if (!item) return
      void navigate({ to: screenOf(item) })
    } else if (letters[event.key]) letters[event.key]?.(event.timeStamp)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    // Before a dialog hears the Escape that closes it: what is below it stays.
    const hear = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', hear, { capture: true })
    return () => removeEventListener('keydown', hear, { capture: true })
  }, [])
  if (!isHelpOpen) return null
  return (
    <Suspense fallback={null}>
      <ShortcutsHelp onClose={() => setHelpOpen(false)} />
    </Suspense>
  )
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]') !== null

/**
 * Closes what was opened last. A field that somebody types in comes first: its list closes, a search is emptied, any other text is
 * left. The form that would be closed asks about what it has by itself, so its own fields need not be left.
 */
function closeLast(target: EventTarget | null) {
  const closes = keyed('Escape')
  if (!closes || !isTyping(target)) return closes?.click()
  const field = target as HTMLElement
  if (field instanceof HTMLSelectElement || field.getAttribute('aria-expanded') === 'true') return
  const form = field.closest('form')
  const text = 'value' in field ? String(field.value) : field.textContent
  if (!text || form?.contains(closes)) return closes.click()
  if (field.getAttribute('type') !== 'search') field.blur()
}

/** Is there something above the screen that the keys belong to? */
const isCovered = () => document.querySelector('dialog[open], [role="dialog"], [role="menu"]') !== null

/** The last one that names the keys: what opened later stands further down. */
const keyed = (keys: string, within: ParentNode | null | undefined = document) =>
  [...(within?.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${keys}"]`) ?? [])].at(-1)

function focus(element: Element | null | undefined) {
  if (!(element instanceof HTMLElement)) return
  element.focus()
  if (element instanceof HTMLInputElement) element.select()
  else element.click()
}

/** Moves the focus to the next row of the screen's lists, or the one before. */
function moveBy(by: 1 | -1) {
  const leads = 'a[href], button'
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter(
    (row) => row.offsetParent !== null && row.querySelector(leads),
  )
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = at === -1 ? rows.at(by === 1 ? 0 : -1) : rows[at + by]
  const target = row?.querySelector<HTMLElement>(leads)
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
}
