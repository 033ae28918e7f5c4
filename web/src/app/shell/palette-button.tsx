import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Palette } from './palette.tsx'
import classes from './shell.module.css'

/** Search: Ctrl K (or Cmd K) from anywhere. */
export function PaletteButton() {
  const { t } = useTranslation('shell')
  // Each palette is a new one. One that is closing does not keep the next one away, and its end is not that of the next one.
  const [shown, setShown] = useState<number | null>(null)
  const last = useRef({ number: 0, isOpen: false })
  const open = () => {
    if (last.current.isOpen) return
    last.current = { number: last.current.number + 1, isOpen: true }
    setShown(last.current.number)
  }
  const close = (number: number) => {
    if (last.current.number !== number) return
    last.current.isOpen = false
    setShown(null)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` reads nothing but what stays the same
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      // At once: the next letter is meant for it.
      flushSync(open)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <UnstyledButton
        className={`${classes.search} touch-area`}
        onClick={open}
        aria-label={t('palette.open')}
        aria-keyshortcuts="Control+K"
      >
        <IconSearch size={16} aria-hidden="true" />
        <span>{t('palette.short')}</span>
        <kbd>Ctrl K</kbd>
      </UnstyledButton>
      {shown !== null && <Palette key={shown} onClose={() => close(shown)} />}
    </>
  )
}
