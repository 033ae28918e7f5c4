import { CloseButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { dismissToast, getToasts, subscribeToasts, type Toast } from '../lib/toast.ts'

import classes from './toasts.module.css'

const tones = { error: 'var(--state-warm)', success: 'var(--state-ok)', info: 'var(--state-cold)' }
const icons = { error: IconAlertCircle, success: IconCircleCheck, info: IconInfoCircle }

/** One at a time at the bottom, 5 s each, longer under the pointer or the keyboard's focus. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, getToasts)
  return (
    <ol className={classes.stack} aria-live="polite">
      {toasts.slice(0, 1).map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </ol>
  )
}

/** The bottom, but for a sheet that has its buttons there: above it. */
function freePlace(): 'top' | 'bottom' {
  const isSheet = [...document.querySelectorAll('[role="dialog"]')]
    .map((dialog) => dialog.getBoundingClientRect())
    .some(({ top, bottom }) => top > 40 && bottom >= innerHeight)
  return isSheet ? 'top' : 'bottom'
}

function ToastItem({ toast }: { toast: Toast }) {
  const { t } = useTranslation()
  const [held, setHeld] = useState(false)
  const [place] = useState(freePlace)
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
      data-place={place}
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
