import { localTimeOf } from '@isotherm/contract/zone-times.ts'
import { ActionIcon, Loader, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../lib/i18n.ts'
import { nowMs } from '../lib/now.ts'
import { useSession } from '../lib/session.ts'
import { isLocalMoment, readMoment, writeMoment } from '../lib/typed-dates.ts'
import classes from './date-field.module.css'
import { usePhone } from './use-phone.ts'

const DatePanel = lazy(async () => ({ default: (await import('./date-panel.tsx')).DatePanel }))
const DateSheet = lazy(async () => ({ default: (await import('./date-sheet.tsx')).DateSheet }))

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max' | 'type'> {
  /** "2026-11-20", with `withTime` "2026-11-20T14:03", by the clock of `zone`; empty where there is none. */
  value?: string
  /** Given what was typed as it is where that is no date: `instantOf` makes nothing of it. */
  onChange?: (value: string) => void
  withTime?: boolean
  /** Left out: the person's; null: one that is not known yet. */
  zone?: string | null
  /** The clock of a day without one. */
  clockIfNone?: string
  /** The days offered; what is typed is judged by the form. */
  min?: string | undefined
  max?: string | undefined
}

/** A day, or a time: typed in words or figures, or chosen in a calendar, which is loaded when it is first opened. */
export function DateField({
  value = '',
  onChange,
  withTime = false,
  zone,
  clockIfNone = '00:00',
  min,
  max,
  error,
  ...input
}: DateFieldProps) {
  const { t } = useTranslation()
  const phone = usePhone()
  const own = useSession((state) => state.timezone)
  const { text, isUnclear, typeOn, finish, choose } = useTyped(value, { withTime, clockIfNone, onChange })
  const [isOpen, setIsOpen] = useState(false)
  const open = () => {
    finish()
    setIsOpen(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') finish()
    if (event.key !== 'ArrowDown' || !event.altKey) return
    event.preventDefault()
    open()
  }
  // The calendar takes the focus once it is loaded: until then the field hears the Escape that closes it, and a dialog around it does not.
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    setIsOpen(false)
  }
  const heard = isOpen ? { 'data-mantine-stop-propagation': 'true' } : {}
  const now = localTimeOf(nowMs(), zone ?? own)
  const panel = {
    value: isLocalMoment(value) ? value : '',
    onChange: choose,
    withTime,
    zone: zone === undefined ? own : zone,
    clockIfNone,
    now,
    min,
    max,
    onClose: () => setIsOpen(false),
  }
  const label = String(input.label ?? input['aria-label'] ?? '')
  return (
    <Popover opened={isOpen && !phone} onChange={setIsOpen} position="bottom-start" returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          autoComplete="off"
          placeholder={t(withTime ? 'dates.hintTime' : 'dates.hint')}
          {...input}
          {...heard}
          wrapperProps={{ onKeyDown: onEscape }}
          value={text}
          error={
            isUnclear
              ? t('dates.unclear', { example: writeMoment(withTime ? now : now.slice(0, 10), currentLocale()) })
              : error
          }
          onChange={(event) => typeOn(event.currentTarget.value)}
          onBlur={(event) => {
            finish()
            input.onBlur?.(event)
          }}
          onKeyDown={onKeyDown}
          // A thumb chooses in the sheet; the keyboard of the screen would cover it.
          inputMode={phone ? 'none' : undefined}
          onClick={phone ? open : undefined}
          rightSection={
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('dates.open')}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={open}
              {...heard}
            >
              <IconCalendar size={18} aria-hidden="true" />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={classes.dropdown}>
        <Suspense fallback={<Loader size="sm" />}>
          <DatePanel {...panel} />
        </Suspense>
      </Popover.Dropdown>
      {phone && isOpen && (
        <Suspense fallback={null}>
          <DateSheet title={label} {...panel} />
        </Suspense>
      )}
    </Popover>
  )
}

/** The text of the field: as it is typed until somebody leaves it, then as it is written. */
function useTyped(
  value: string,
  {
    withTime,
    clockIfNone,
    onChange,
  }: { withTime: boolean; clockIfNone: string; onChange: ((value: string) => void) | undefined },
) {
  const [typed, setTyped] = useState<{ text: string; value: string } | null>(null)
  const locale = currentLocale()
  const isMoment = isLocalMoment(value)
  const isTyping = typed?.value === value
  const take = (text: string, yearIfNone: number | null) => {
    const next = readMoment(text, { locale, withTime, yearIfNone, clockIfNone }) ?? text.trim()
    setTyped(yearIfNone === null ? { text, value: next } : null)
    if (next !== value) onChange?.(next)
  }
  return {
    text: isTyping ? typed.text : isMoment ? writeMoment(value, locale) : value,
    isUnclear: !isTyping && value !== '' && !isMoment,
    typeOn: (text: string) => take(text, null),
    finish: () => isTyping && take(typed.text, new Date().getFullYear()),
    choose: (next: string) => {
      setTyped(null)
      onChange?.(next)
    },
  }
}
