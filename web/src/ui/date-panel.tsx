import type { Locale } from '@isotherm/contract/common.ts'
import { Button, FocusTrap, Group, NativeSelect, Text } from '@mantine/core'
import { DatePicker, DatesProvider, type DayOfWeek } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { type KeyboardEvent, use } from 'react'
import { useTranslation } from 'react-i18next'
import { firstDayOfWeek } from '../lib/calendar-periods.ts'
import { currentLocale } from '../lib/i18n.ts'
import { zoneNameAt } from '../lib/times.ts'
import classes from './date-field.module.css'

export interface DatePanelProps {
  /** A local moment, or nothing. */
  value: string
  onChange: (value: string) => void
  onClose: () => void
  withTime: boolean
  /** Null: not known yet. */
  zone: string | null
  /** The clock of a day that is chosen without one. */
  clockIfNone: string
  /** The present, by the clock of the zone. */
  now: string
  min?: string | undefined
  max?: string | undefined
  /** For a thumb. */
  large?: boolean
}

// The names of months and days. English as everywhere here: the week begins on Monday.
const calendars: Record<Locale, { name: string; load: () => Promise<unknown> }> = {
  en: { name: 'en-gb', load: () => import('dayjs/locale/en-gb.js') },
  fr: { name: 'fr', load: () => import('dayjs/locale/fr.js') },
  es: { name: 'es', load: () => import('dayjs/locale/es.js') },
  sw: { name: 'sw', load: () => import('dayjs/locale/sw.js') },
}
const loading = new Map<Locale, Promise<unknown>>()

function loaded(locale: Locale) {
  const known = loading.get(locale) ?? calendars[locale].load()
  loading.set(locale, known)
  return known
}

/** The calendar and, with a time, its hour and minute. Without a time, choosing a day is all there is to do. */
export function DatePanel({
  value,
  onChange,
  onClose,
  withTime,
  zone,
  clockIfNone,
  now,
  min,
  max,
  large,
}: DatePanelProps) {
  const { t } = useTranslation()
  const locale = currentLocale()
  use(loaded(locale))
  const { name } = calendars[locale]
  const day = value.slice(0, 10)
  const time = value.slice(11) || clockIfNone
  const choose = (nextDay: string, nextTime = time) => {
    onChange(withTime ? `${nextDay}T${nextTime}` : nextDay)
    if (!withTime) onClose()
  }
  // A dialog around it would close too: it leaves alone what carries the attribute below.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    // A sheet keeps the focus itself.
    <FocusTrap active={!large}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only hears the Escape of what is in it */}
      <div onKeyDown={onKeyDown} className={classes.panel} data-large={large || undefined}>
        <DatesProvider settings={{ locale: name, firstDayOfWeek: firstDayOfWeek() as DayOfWeek }}>
          <DatePicker
            value={day || null}
            defaultDate={day || now.slice(0, 10)}
            onChange={(next) => next && choose(next)}
            {...(min && { minDate: min.slice(0, 10) })}
            {...(max && { maxDate: max.slice(0, 10) })}
            size={large ? 'lg' : 'sm'}
            fullWidth={Boolean(large)}
            classNames={{ day: classes.day, weekday: classes.weekday, calendarHeaderLevel: classes.level }}
            getDayProps={(date) => ({
              'aria-current': date === now.slice(0, 10) ? 'date' : undefined,
              'data-autofocus': date === (day || now.slice(0, 10)) || undefined,
            })}
            mx="auto"
            ariaLabels={{
              monthLevelControl: t('dates.chooseMonth'),
              yearLevelControl: t('dates.chooseYear'),
              nextMonth: t('dates.nextMonth'),
              previousMonth: t('dates.previousMonth'),
              nextYear: t('dates.nextYear'),
              previousYear: t('dates.previousYear'),
              nextDecade: t('dates.nextDecade'),
              previousDecade: t('dates.previousDecade'),
            }}
            __stopPropagation
          />
        </DatesProvider>
        {withTime && (
          <Clock
            time={time}
            zone={zone === null ? '' : zoneNameAt(day && `${day}T${time}`, zone)}
            onChange={(next) => choose(day || now.slice(0, 10), next)}
          />
        )}
        <Group justify="space-between" mt="sm" data-mantine-stop-propagation="true">
          <Button
            variant="subtle"
            size={large ? 'sm' : 'xs'}
            onClick={() => choose(now.slice(0, 10), now.slice(11))}
            data-mantine-stop-propagation="true"
          >
            {t(withTime ? 'dates.now' : 'dates.today')}
          </Button>
          <Button
            variant="default"
            size={large ? 'sm' : 'xs'}
            onClick={() => {
              if (value) onChange('')
              onClose()
            }}
            data-mantine-stop-propagation="true"
          >
            {t('actions.clear')}
          </Button>
          {withTime && (
            <Button size={large ? 'sm' : 'xs'} onClick={onClose} data-mantine-stop-propagation="true">
              {t('dates.done')}
            </Button>
          )}
        </Group>
      </div>
    </FocusTrap>
  )
}

const two = (value: number) => String(value).padStart(2, '0')
const hours = [...Array(24).keys()].map(two)
const minutes = [...Array(12).keys()].map((step) => two(step * 5))

interface ClockProps {
  time: string
  zone: string
  onChange: (time: string) => void
}

/** Any minute can be typed in the field; here there is every fifth, and the one that was typed. */
function Clock({ time, zone, onChange }: ClockProps) {
  const { t } = useTranslation()
  const [hour = '00', minute = '00'] = time.split(':')
  return (
    <Group gap={8} mt="xs" wrap="nowrap" justify="center">
      <NativeSelect
        aria-label={t('dates.hour')}
        data={hours}
        value={hour}
        onChange={(event) => onChange(`${event.currentTarget.value}:${minute}`)}
        data-mantine-stop-propagation="true"
      />
      <span aria-hidden="true">:</span>
      <NativeSelect
        aria-label={t('dates.minute')}
        data={minutes.includes(minute) ? minutes : [...minutes, minute].sort()}
        value={minute}
        onChange={(event) => onChange(`${hour}:${event.currentTarget.value}`)}
        data-mantine-stop-propagation="true"
      />
      <Text size="sm" c="dimmed">
        {zone}
      </Text>
    </Group>
  )
}
