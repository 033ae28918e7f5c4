import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './shell.module.css'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** Search: Ctrl K (or Cmd K) from anywhere. The palette's code is loaded when it is first asked for. */
export function PaletteButton() {
  const { t } = useTranslation('shell')
  const [asked, setAsked] = useState(0)
  const open = () => setAsked((times) => times + 1)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setAsked((times) => times + 1)
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
      {asked > 0 && (
        <Suspense fallback={null}>
          <Palette asked={asked} />
        </Suspense>
      )}
    </>
  )
}
