import { maxWindMinutes, type SandboxClock } from '@isotherm/contract/sandbox-clock.ts'
import { Button, Group, Loader, NativeSelect, NumberInput, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { useSandboxClock } from '../../../shared/use-sandbox-clock.ts'
import { Panel } from '../../../ui/panel.tsx'
import { useWind } from '../use-wind.ts'
import { Scenarios } from './scenarios.tsx'

const units = { minutes: 1, hours: 60, days: 1_440 } as const
type Unit = keyof typeof units
const minuteMs = 60_000

/** Within a sandbox: its clock, which is wound here, and what can happen to its devices. */
export function ClockPanel() {
  const { t } = useTranslation('sandbox')
  const clock = useSandboxClock()
  const { isAsked, wind, play } = useWind()
  const isBusy = isAsked || clock?.windsTo != null
  return (
    <Panel title={t('clock.title')} text={clock === null ? t('clock.none') : t('clock.lead')}>
      {clock === undefined && <Skeleton height={120} role="status" aria-label={t('common:list.loading')} />}
      {clock && (
        <>
          <Standing clock={clock} />
          <WindButtons isBusy={isBusy} left={leftMinutes(clock)} wind={wind} />
          <Scenarios isBusy={isBusy} left={leftMinutes(clock)} play={play} />
        </>
      )}
    </Panel>
  )
}

const leftMinutes = ({ now, windsUntil }: SandboxClock): number =>
  Math.floor((Date.parse(windsUntil) - Date.parse(now)) / minuteMs)

function Standing({ clock }: { clock: SandboxClock }) {
  const { t } = useTranslation('sandbox')
  return (
    <>
      <Text fw={600}>{formatTime(clock.now)}</Text>
      <Group gap={8} mb="sm" mih={24} role="status">
        {clock.windsTo && <Loader size={14} aria-hidden="true" />}
        <Text size="sm" c="dimmed">
          {clock.windsTo
            ? t('clock.winding', { time: formatTime(clock.windsTo) })
            : t('clock.left', { span: formatDuration(leftMinutes(clock) * minuteMs) })}
        </Text>
      </Group>
    </>
  )
}

interface WindProps {
  isBusy: boolean
  /** Minutes that it can be wound still. */
  left: number
  wind: (minutes: number) => void
}

function WindButtons({ isBusy, left, wind }: WindProps) {
  const { t } = useTranslation('sandbox')
  const [amount, setAmount] = useState<number | string>(15)
  const [unit, setUnit] = useState<Unit>('minutes')
  const most = Math.min(left, maxWindMinutes)
  const own = typeof amount === 'number' ? amount * units[unit] : 0
  return (
    <Group gap="sm" align="end" mb="md">
      <Button disabled={isBusy || most < 60} onClick={() => wind(60)}>
        {t('clock.hour')}
      </Button>
      <Button variant="default" disabled={isBusy || most < 1_440} onClick={() => wind(1_440)}>
        {t('clock.day')}
      </Button>
      <NumberInput
        {...{ label: t('clock.amount'), w: 96, min: 1, max: Math.max(1, Math.floor(most / units[unit])) }}
        {...{ allowDecimal: false, value: amount, onChange: setAmount }}
      />
      <NativeSelect
        {...{ label: t('clock.unit'), w: 120, value: unit }}
        data={(['minutes', 'hours', 'days'] as const).map((value) => ({ value, label: t(`units.${value}`) }))}
        onChange={({ currentTarget: { value } }) => setUnit(value as Unit)}
      />
      <Button variant="default" disabled={isBusy || own < 1 || own > most} onClick={() => wind(own)}>
        {t('clock.wind')}
      </Button>
    </Group>
  )
}
