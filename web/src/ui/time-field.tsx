import { TimePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { named } from '../lib/named.ts'
import { usePhone } from './use-phone.ts'

interface TimeFieldProps {
  label: string
  /** The words around the field say what it is: the label is for screen readers. */
  isLabelHidden?: boolean
  /** "14:03"; empty where there is none. */
  value?: string
  /** Given nothing while the hour or the minute is missing. */
  onChange?: (value: string) => void
  onFocus?: () => void
  onBlur?: () => void
  error?: ReactNode
  'data-path'?: string
}

/** A time of the day, of 24 hours in every language: typed, or chosen from a list where there is room for one. */
export function TimeField({ label, isLabelHidden, value, 'data-path': path, ...input }: TimeFieldProps) {
  const { t } = useTranslation()
  const phone = usePhone()
  return (
    <TimePicker
      size="sm"
      format="24h"
      label={isLabelHidden ? undefined : label}
      hoursInputLabel={named(label, t('dates.hour'))}
      minutesInputLabel={named(label, t('dates.minute'))}
      hoursInputProps={path === undefined ? {} : { 'data-path': path }}
      minutesStep={5}
      withDropdown={!phone}
      // Mantine would clear the hour with the minute.
      value={value || undefined}
      {...input}
    />
  )
}
