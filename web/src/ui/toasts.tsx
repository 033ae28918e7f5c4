import { CloseButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { dismissToast, getToasts, subscribeToasts, type Toast } from '../lib/toast.ts'

import classes from './toasts.module.css'

const tones = { error: 'var(--state-warm)', success: 'var(--state-ok)', info: 'var(--state-cold)' }
const icons = { error: IconAlertCircle, success: IconCircleCheck, info: IconInfoCircle }

/** One at a time at the top right, 5 s each, longer under the pointer or the keyboard's focus. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, getToasts)
  const stack = useRef<HTMLOListElement>(null)
  const { id: first, kind } = toasts[0] ?? {}
  useLayoutEffect(() => {
    if (first === undefined) return
    const put = () => {
      // A success is shown as its dialog goes, a fault while the dialog stays.
      if (stack.current) place(stack.current, kind === 'error' ? openDialog() : undefined)
    }
    put()
    // Its dialog is closed, or the screen that was gone to has its actions: it stands over none of them.
    let before = headsNow()
    const changed = new MutationObserver(() => {
      const now = headsNow()
      if (now.length === before.length && now.every((each, at) => each === before[at])) return
      before = now
      put()
    })
    changed.observe(document.body, { childList: true, subtree: true })
    // A drawer that is closed stands there for a moment still.
    const timer = setTimeout(put, 200)
    return () => {
      clearTimeout(timer)
      changed.disconnect()
    }
  }, [first, kind])
  return (
    <ol ref={stack} className={classes.stack} aria-live="polite">
      {toasts.slice(0, 1).map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </ol>
  )
}

const edge = 12
/** The heads of the shell, of screens, lists and dialogs: search, bell, person, tabs, actions, and the way out. */
const heads = 'header, main nav, [data-actions]'

const headsNow = () => [...document.querySelectorAll(`${heads}, [data-actions] :is(a, button)`)]

const openDialog = () => [...document.querySelectorAll('[aria-modal=true]')].at(-1)

/** Puts it into the corner: below the heads and what has the focus, beside a drawer that leaves room for it. What is behind `dialog` cannot be pressed. */
function place(stack: HTMLElement, dialog?: Element) {
  const { width, height } = stack.getBoundingClientRect()
  // Without the scroll bar, as what is fixed counts.
  const { clientWidth, clientHeight } = document.documentElement
  const drawers = [...document.querySelectorAll('[role="dialog"]')]
    .map((dialog) => dialog.getBoundingClientRect())
    .filter(({ top, left, right }) => top < edge && right > clientWidth - edge && left > width + 2 * edge)
  const end = Math.min(clientWidth, ...drawers.map(({ left }) => left)) - edge
  const below = (elements: Element[]) =>
    elements
      .map((each) => each.getBoundingClientRect())
      .filter((each) => each.width > 0 && each.right > end - width && each.left < end)
      .sort((one, other) => one.top - other.top)
      .reduce((free, each) => (each.top < free + height && each.bottom > free ? each.bottom + 8 : free), edge)
  const within = dialog ?? document
  const focused = document.activeElement
  const pressed = focused instanceof HTMLButtonElement && !stack.contains(focused) ? [focused] : []
  const free = below([...within.querySelectorAll(heads), ...pressed])
  // In a low window it stands over tabs and actions.
  const top = free < clientHeight / 2 ? free : below([...within.querySelectorAll('header')])
  stack.style.setProperty('--toast-right', `${clientWidth - end}px`)
  stack.style.setProperty('--toast-top', `${top}px`)
}

function ToastItem({ toast }: { toast: Toast }) {
  const { t } = useTranslation()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(toast.id), toast.lastsMs)
    return () => clearTimeout(timer)
  }, [held, toast])
  const Icon = icons[toast.kind]
  return (
    <li
      className={classes.toast}
      style={{ '--tone': tones[toast.kind] } as React.CSSProperties}
      data-kind={toast.kind}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} />
      <span className={classes.text} role={toast.kind === 'error' ? 'alert' : undefined}>
        {toast.text}
      </span>
      <CloseButton size="sm" aria-label={t('actions.close')} onClick={() => dismissToast(toast.id)} />
    </li>
  )
}
