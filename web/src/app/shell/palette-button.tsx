import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Palette } from './palette.tsx'
import classes from './shell.module.css'

/** Search: Ctrl K (or Cmd K) from anywhere. */
export function PaletteButton() {
  const { t } = useTranslation('shell')
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      // At once: the next letter is meant for it.
      flushSync(() => setOpen(true))
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <UnstyledButton
        className={`${classes.search} touch-area`}
        onClick={() => setOpen(true)}
        aria-label={t('palette.open')}
        aria-keyshortcuts="Control+K"
      >
        <IconSearch size={16} aria-hidden="true" />
        <span>{t('palette.short')}</span>
        <kbd>Ctrl K</kbd>
      </UnstyledButton>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
