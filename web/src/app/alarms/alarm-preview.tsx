import type { NewAlarm } from '@isotherm/contract/alarms.ts'
import type { BackTestFiring } from '@isotherm/contract/back-test.ts'
import { BackTestQuestion } from '@isotherm/contract/back-test.ts'
import { Paper, Select, Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyTimeChart } from '../../charts/lazy-time-chart.tsx'
import type { ChartMark } from '../../charts/model.ts'
import { type AlarmValues, newAlarmOf } from '../../features/alarms/alarm-values.ts'
import { BackTestPanel } from '../../features/alarms/parts/back-test-panel.tsx'
import { happenedIn, type Words } from '../../features/alarms/trigger-words.ts'
import { useBackTest } from '../../features/alarms/use-back-test.ts'
import { useChart } from '../../features/devices/use-chart.ts'
import { nowMs } from '../../lib/now.ts'
import { useSession } from '../../lib/session.ts'
import { Failure } from '../../ui/failure.tsx'
import frames from '../../ui/frames.module.css'
import { measuresOf, withRule } from './rule-on-chart.ts'

const days = 30
const dayMs = 86_400_000
/** Typing is over when nothing changed for so long. */
const restMs = 600

/** The back-test of the last 30 days: on the chart of a device it watches, as a list, in SMS units. */
export function AlarmPreview({ values }: { values: AlarmValues }) {
  const { t } = useTranslation('alarms')
  // As text: the same question asked again is no question.
  const [asked] = useDebouncedValue(JSON.stringify(questionOf(values)), restMs)
  const question = useMemo(() => JSON.parse(asked) as BackTestQuestion | null, [asked])
  const answer = useBackTest(question)
  const [chosen, setChosen] = useState<string | null>(null)
  // Unless another is chosen, the device whose chart shows what would have fired last.
  const shown = [chosen, answer.data?.firings[0]?.deviceId, values.devices[0]?.id].find((id) =>
    values.devices.some((each) => each.id === id),
  )
  const device = values.devices.find(({ id }) => id === shown)
  return (
    <Paper component="section" className={frames.panel} aria-label={t('backTest.title')}>
      <h2>{t('backTest.title')}</h2>
      <div className={frames.stack}>
        {!question && (
          <Text size="sm" c="dimmed">
            {t('backTest.waiting')}
          </Text>
        )}
        {question && answer.data && <BackTestPanel result={answer.data} isAsking={answer.isFetching} />}
        {question && !answer.data && answer.error && (
          <Failure error={answer.error} onRetry={() => void answer.refetch()} />
        )}
        {question && answer.isLoading && (
          <Skeleton height={90} radius="sm" role="status" aria-label={t('backTest.progress')} />
        )}
        {values.devices.length > 1 && (
          <Select
            size="sm"
            aria-label={t('backTest.device')}
            allowDeselect={false}
            searchable
            limit={50}
            data={values.devices.map(({ id, name }) => ({ value: id, label: name }))}
            value={device?.id ?? null}
            onChange={setChosen}
          />
        )}
        {device && (
          <PreviewChart
            key={device.id}
            deviceId={device.id}
            alarm={newAlarmOf(values)}
            firings={answer.data?.firings ?? none}
          />
        )}
      </div>
    </Paper>
  )
}

const none: readonly never[] = []

/** The question, once the rule and the targets make sense; only recipients whose address is whole count. */
function questionOf(values: AlarmValues): BackTestQuestion | null {
  const { rule, deviceIds, groupIds, schedule, recipients, notifyNormal, severity, name } = newAlarmOf(values)
  const ask = { rule, deviceIds, groupIds, schedule, notifyNormal, severity, name, days }
  const whole = recipients.filter((each) => BackTestQuestion.safeParse({ ...ask, recipients: [each] }).success)
  const found = BackTestQuestion.safeParse({ ...ask, recipients: whole })
  return found.success ? found.data : null
}

interface PreviewChartProps {
  deviceId: string
  alarm: NewAlarm
  firings: readonly BackTestFiring[]
}

function PreviewChart({ deviceId, alarm, firings }: PreviewChartProps) {
  const { t } = useTranslation('triggers')
  const zone = useSession((state) => state.timezone)
  const [to] = useState(() => Math.ceil(nowMs() / 300_000) * 300_000)
  const from = to - days * dayMs
  const period = useMemo(() => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }), [from, to])
  const { rule, severity } = alarm
  const chart = useChart({ id: deviceId }, period, measuresOf(rule))
  const own = useMemo(() => firings.filter((each) => each.deviceId === deviceId), [firings, deviceId])
  const ruleText = JSON.stringify(rule)
  const panels = useMemo(
    () => chart.panels?.map((panel) => withRule(panel, JSON.parse(ruleText) as NewAlarm['rule'], own)),
    [chart.panels, ruleText, own],
  )
  const marks = useMemo(() => marksOf(own, severity ?? 'warning', t, to), [own, severity, t, to])
  if (!panels)
    return chart.error ? (
      <Failure error={chart.error} onRetry={() => void chart.retry()} />
    ) : (
      <Skeleton height={268} radius="sm" />
    )
  return (
    <LazyTimeChart
      panels={panels}
      marks={marks}
      from={from}
      to={to}
      zone={zone}
      onZoom={chart.onZoom}
      height={panels.length > 1 ? 340 : 240}
    />
  )
}

const marksOf = (firings: readonly BackTestFiring[], tone: ChartMark['tone'], t: Words, to: number): ChartMark[] =>
  firings.map((firing) => ({
    at: Date.parse(firing.openedAt),
    tone,
    label: happenedIn({ ...firing, withdrawnAt: null }, t, to),
  }))
