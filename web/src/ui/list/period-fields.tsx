import { Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { zoneName } from '../../lib/times.ts'
import { isLocalMoment } from '../../lib/typed-dates.ts'
import { CalendarMenu } from '../calendar-menu.tsx'
import { DateField } from '../date-field.tsx'
import type { ListParams } from './use-list-params.ts'

interface PeriodFieldsProps {
  params: ListParams
  from: string | undefined
  to: string | undefined
  /** The first day lies after the last. */
  crossed: boolean
}

/** From which day to which, both included, as the person's days. */
export function PeriodFields({ params, from, to, crossed }: PeriodFieldsProps) {
  const { t } = useTranslation()
  const change = (name: 'from' | 'to') => (day: string | undefined) => params.change({ filters: { [name]: day } })
  return (
    <Group
      gap={6}
      wrap="nowrap"
      align="flex-start"
      role="group"
      aria-label={`${t('list.period.label')} (${zoneName()})`}
    >
      <Day label={t('list.period.first')} day={from} max={to} onChange={change('from')} />
      <Text size="sm" c="dimmed" lh="36px" aria-hidden>
        –
      </Text>
      <Day
        label={t('list.period.last')}
        day={to}
        min={from}
        error={crossed && t('list.period.crossed')}
        onChange={change('to')}
      />
      <CalendarMenu onChoose={({ first, last }) => params.change({ filters: { from: first, to: last } })} />
    </Group>
  )
}

interface DayProps {
  label: string
  day: string | undefined
  min?: string | undefined
  max?: string | undefined
  error?: ReactNode
  onChange: (day: string | undefined) => void
}

/** The URL keeps days only; what is no day yet is kept here. */
function Day({ label, day, onChange, ...rest }: DayProps) {
  const [unclear, setUnclear] = useState('')
  const take = (text: string) => {
    const isDay = isLocalMoment(text)
    setUnclear(isDay ? '' : text)
    const next = isDay ? text : undefined
    if (next !== day) onChange(next)
  }
  return (
    <DateField
      size="sm"
      style={{ flex: 1, minWidth: 0 }}
      aria-label={label}
      title={label}
      value={day ?? unclear}
      onChange={take}
      {...rest}
    />
  )
}
