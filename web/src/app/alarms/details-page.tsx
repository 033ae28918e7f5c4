import { type Alarm, alarms } from '@isotherm/contract/alarms.ts'
import { Button, Paper, SegmentedControl, Select, Skeleton } from '@mantine/core'
import { IconBell, IconBellOff, IconSend } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyTimeChart } from '../../charts/lazy-time-chart.tsx'
import { AlarmFacts } from '../../features/alarms/parts/alarm-facts.tsx'
import { AlarmFrame } from '../../features/alarms/parts/alarm-frame.tsx'
import { TriggerMarks } from '../../features/alarms/parts/chart-marks.tsx'
import { OutsideSoFar } from '../../features/alarms/parts/outside-so-far.tsx'
import { SnoozeDialog } from '../../features/alarms/parts/snooze-dialog.tsx'
import { TriggerList } from '../../features/alarms/parts/trigger-list.tsx'
import { useAlarmVerbs } from '../../features/alarms/parts/use-alarm-actions.tsx'
import { useChart } from '../../features/devices/use-chart.ts'
import { useCan } from '../../lib/can.ts'
import { useNow } from '../../lib/now.ts'
import { type Preset, periodOf, presets } from '../../lib/periods.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { Failure } from '../../ui/failure.tsx'
import frames from '../../ui/frames.module.css'
import { Renewing } from '../../ui/renewing.tsx'
import classes from './alarms.module.css'
import { measuresOf, withRule } from './rule-on-chart.ts'

/** The devices of an alarm, its triggers on the chart of a device and as a list; a test of its channels. */
export function AlarmDetailsPage() {
  const { t } = useTranslation('alarms')
  const mayEdit = useCan('alarms.addOrEdit')
  const mayViewDevices = useCan('devices.view')
  const [snoozing, setSnoozing] = useState<Alarm | null>(null)
  const { unsnooze, test } = useAlarmVerbs()
  return (
    <AlarmFrame
      actions={(alarm) =>
        mayEdit && (
          <>
            <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => test(alarm)}>
              {t('actions.test')}
            </Button>
            {alarm.snoozedUntil ? (
              <Button variant="default" leftSection={<IconBell size={16} />} onClick={() => void unsnooze(alarm)}>
                {t('actions.unsnooze')}
              </Button>
            ) : (
              <Button variant="default" leftSection={<IconBellOff size={16} />} onClick={() => setSnoozing(alarm)}>
                {t('actions.snooze')}
              </Button>
            )}
          </>
        )
      }
    >
      {(alarm) => (
        <div className={frames.stack}>
          <div className={classes.overview}>
            <AlarmFacts alarm={alarm} />
            {mayViewDevices && <ChartOfFired alarm={alarm} />}
          </div>
          <OutsideSoFar alarm={alarm} />
          <section className={frames.stack} aria-label={t('triggers.title')}>
            <h2 className={classes.heading}>{t('triggers.title')}</h2>
            <TriggerList
              alarmId={alarm.id}
              empty={{ title: t('triggers.emptyHere.title'), text: t('triggers.emptyHere.text') }}
            />
          </section>
          {snoozing && <SnoozeDialog alarm={snoozing} onClose={() => setSnoozing(null)} />}
        </div>
      )}
    </AlarmFrame>
  )
}

const slotMs = 300_000

type Device = Alarm['devices'][number]

/** Its chart, at first of the device it fired for last; of those it watches by a group it offers those it fired for. */
function ChartOfFired({ alarm }: { alarm: Alarm }) {
  const fired = useCall(alarms.triggersOf, {
    params: { id: alarm.id },
    query: { perPage: 50, states: 'open,acknowledged,normal,resolved' },
  })
  if (fired.isPending) return <Skeleton height={384} radius="md" />
  const others = (fired.data?.data ?? []).map(({ deviceId, deviceName }) => ({ id: deviceId, name: deviceName }))
  const devices = [...new Map([...others, ...alarm.devices].map((device) => [device.id, device])).values()]
  if (devices.length === 0) return null
  return <WatchedChart alarm={alarm} devices={devices} />
}

/** The chart of one of its devices with a flag where it fired. */
function WatchedChart({ alarm, devices }: { alarm: Alarm; devices: readonly Device[] }) {
  const { t } = useTranslation('alarms')
  // A new trigger does not replace the chart that somebody looks at.
  const [chosen, setChosen] = useState<string | null>(devices[0]?.id ?? null)
  const [preset, setPreset] = useState<Preset>('7d')
  const slot = Math.ceil(useNow() / slotMs)
  const period = useMemo(() => periodOf(preset, slot * slotMs), [preset, slot])
  const device = devices.find(({ id }) => id === chosen) ?? devices[0]
  if (!device) return null
  return (
    <Paper component="section" className={frames.panel} aria-label={t('chart.title')}>
      <div className={classes.chartBar}>
        <Select
          size="sm"
          aria-label={t('backTest.device')}
          allowDeselect={false}
          searchable
          data={devices.map(({ id, name }) => ({ value: id, label: name }))}
          value={device.id}
          onChange={setChosen}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('chart.period')}
          value={preset}
          onChange={(value) => setPreset(value as Preset)}
          data={Object.keys(presets).map((value) => ({ value, label: t(`devices:period.${value}`) }))}
        />
      </div>
      <TriggerMarks deviceId={device.id} alarmId={alarm.id} period={period}>
        {(marks) => (
          <DeviceChart
            key={`${device.id} ${preset}`}
            alarm={alarm}
            deviceId={device.id}
            period={period}
            marks={marks}
          />
        )}
      </TriggerMarks>
    </Paper>
  )
}

type Shown = Pick<Parameters<typeof LazyTimeChart>[0], 'marks'> & {
  alarm: Alarm
  deviceId: string
  period: { from: string; to: string }
}

function DeviceChart({ alarm: { rule }, deviceId, period, marks }: Shown) {
  const zone = useSession((state) => state.timezone)
  const { panels: own, isOld, error, retry, onZoom } = useChart({ id: deviceId }, period, measuresOf(rule))
  const ruleText = JSON.stringify(rule)
  const panels = useMemo(
    () => own?.map((panel) => withRule(panel, JSON.parse(ruleText) as Alarm['rule'])),
    [own, ruleText],
  )
  if (!panels)
    return error ? <Failure error={error} onRetry={() => void retry()} /> : <Skeleton height={308} radius="sm" />
  return (
    <Renewing isOld={isOld}>
      <LazyTimeChart
        panels={panels}
        marks={marks}
        from={Date.parse(period.from)}
        to={Date.parse(period.to)}
        zone={zone}
        onZoom={onZoom}
        height={panels.length > 1 ? 360 : 280}
      />
    </Renewing>
  )
}
