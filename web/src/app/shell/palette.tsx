import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './palette.module.css'
import type { PaletteItem } from './palette-items.ts'
import { useFound } from './use-found.ts'

/**
 * Finds things, screens and actions by name. It stands and has the focus in the moment in which it is asked for, so that no
 * letter goes elsewhere. Enter waits for the answers to what is typed.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [chosenId, setChosenId] = useState<string>()
  const [isEntered, setEntered] = useState(false)
  const { found, failed, isSettled } = useFound(text, isEntered)
  const groups = found.filter(({ items }) => items.length > 0)
  const items = groups.flatMap((group) => group.items)
  // While nothing is typed, Enter opens nothing that nobody has moved to.
  const chosen = items.find(({ id }) => id === chosenId) ?? (text.trim() ? items[0] : undefined)

  useLayoutEffect(() => dialog.current?.showModal(), [])
  // The dialog tells later that it has closed; the next palette may be asked for before.
  const close = () => {
    dialog.current?.close()
    onClose()
  }
  const open = ({ to, begins }: PaletteItem) => {
    close()
    void navigate({ href: to, state: begins ? { begins } : {} })
  }
  useEffect(() => {
    if (!isEntered || !isSettled) return
    setEntered(false)
    if (chosen) open(chosen)
  })
  const write = (next: string) => {
    setText(next)
    setChosenId(undefined)
    setEntered(false)
  }
  const move = (by: number) => {
    const at = chosen ? items.indexOf(chosen) : by > 0 ? -1 : 0
    const next = items[(at + by + items.length) % items.length]
    setChosenId(next?.id)
    if (next) document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      // An item that somebody moved to is meant, whatever is still to come.
      if (chosenId !== undefined && chosen?.id === chosenId) open(chosen)
      else setEntered(true)
    } else if (event.key === 'Escape') close()
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes Escape; the click is on the ground around the box
    <dialog
      ref={dialog}
      className={classes.palette}
      aria-label={t('palette.open')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className={classes.box}>
        <div className={classes.field}>
          <IconSearch size={18} aria-hidden="true" />
          <input
            autoFocus
            role="combobox"
            aria-expanded={items.length > 0}
            aria-controls="palette-list"
            aria-activedescendant={chosen && optionId(chosen)}
            aria-label={t('palette.placeholder')}
            placeholder={t('palette.placeholder')}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            // A dialog of Mantine below would take Escape for its own.
            data-mantine-stop-propagation="true"
            value={text}
            onChange={(event) => write(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <kbd>Esc</kbd>
        </div>
        <div
          id="palette-list"
          role="listbox"
          aria-label={t('palette.open')}
          aria-busy={!isSettled}
          className={classes.list}
        >
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box
            <div key={group.title} role="group" aria-label={t(group.title)}>
              <p className={classes.heading} aria-hidden="true">
                {t(group.title)}
              </p>
              {group.items.map((item) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and its keys
                <div
                  key={item.id}
                  id={optionId(item)}
                  role="option"
                  aria-selected={item === chosen}
                  className={classes.option}
                  onClick={() => open(item)}
                >
                  <span>{item.label}</span>
                  {item.description && <span className={classes.description}>{item.description}</span>}
                </div>
              ))}
            </div>
          ))}
        </div>
        <p className={classes.nothing} role="status">
          {failed.length > 0
            ? t('palette.failed', { names: failed.map((title) => t(title)).join(', ') })
            : items.length > 0
              ? ''
              : t(isSettled ? 'palette.nothing' : 'palette.searching')}
        </p>
      </div>
    </dialog>
  )
}

const optionId = ({ id }: PaletteItem) => `palette-${id}`
