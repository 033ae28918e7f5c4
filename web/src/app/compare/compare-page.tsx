import type { Period } from '@isotherm/contract/common.ts'
import { type GroupChart, groups, maxCompared } from '@isotherm/contract/groups.ts'
import { Alert, Group, Paper, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyTimeChart } from '../../charts/lazy-time-chart.tsx'
import { useLineColours } from '../../charts/line-colours.ts'
import { LineLegend } from '../../charts/line-legend.tsx'
import { PeriodBar } from '../../features/devices/parts/period-bar.tsx'
import { usePeriod } from '../../features/devices/use-period.ts'
import { useCan } from '../../lib/can.ts'
import { named } from '../../lib/named.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { DeviceSelect } from '../../shared/device-select.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Page } from '../../ui/page.tsx'
import { Renewing } from '../../ui/renewing.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { panelOf } from '../groups/chart-panel.ts'
import shared from '../overview.module.css'
import { devicesIn } from './compared-devices.ts'

const points = 600

/** Some devices on one chart, one measure at a time; devices, period and measure stand in the URL. */
export function ComparePage() {
  const { t } = useTranslation('groups')
  const zone = useSession((state) => state.timezone)
  const { search, change } = useUrlSearch()
  const { chosen, period, choose, onUse } = usePeriod()
  const ids = useMemo(() => devicesIn(search.devices), [search.devices])
  const measure = search.measure === 'humidity' ? 'humidity' : 'temperature'
  const query = { ...period, measure, points, ids: ids.join() } as const
  const answer = useCall(groups.compare, { query }, { enabled: ids.length > 0, keepPrevious: true, refetchMs: 60_000 })
  const missing = answer.data && !answer.isPlaceholderData ? ids.length - answer.data.lines.length : 0
  const pick = (next: readonly string[]) => change({ devices: next.length > 0 ? next.join() : undefined })
  return (
    <Page title={t('compare.title')}>
      <Stack gap="sm">
        <PeriodBar chosen={chosen} period={period} zone={zone} onChoose={choose} />
        <Paper className={shared.panel} p="sm">
          <Group gap="sm">
            <DeviceSelect
              adds
              w={320}
              maw="100%"
              aria-label={t('compare.add')}
              placeholder={t('compare.add')}
              disabled={ids.length === maxCompared}
              onChange={(id) => id && !ids.includes(id) && pick([...ids, id])}
            />
            <SegmentedControl
              size="sm"
              aria-label={t('chart.measure')}
              value={measure}
              onChange={(value) => change({ measure: value === 'humidity' ? value : undefined })}
              data={(['temperature', 'humidity'] as const).map((value) => ({ value, label: t(`overview.${value}`) }))}
            />
          </Group>
          {missing > 0 && <Alert color="orange">{t('compare.missing', { count: missing })}</Alert>}
          {ids.length === 0 && (
            <Empty title={t('compare.empty.title')} text={t('compare.empty.text', { max: maxCompared })} />
          )}
          {ids.length > 0 && answer.data && (
            <Renewing isOld={answer.isPlaceholderData}>
              <Lines
                key={`${chosen.preset} ${chosen.preset === 'custom' ? period.from : ''} ${measure}`}
                chart={answer.data}
                {...{ ids, period, zone, pick, onUse }}
              />
            </Renewing>
          )}
          {ids.length > 0 && !answer.data && !answer.error && <Skeleton height={460} />}
          {!answer.data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        </Paper>
      </Stack>
    </Page>
  )
}

interface LinesProps {
  chart: GroupChart
  ids: readonly string[]
  period: Period
  zone: string
  pick: (ids: readonly string[]) => void
  onUse: (period: Period) => void
}

function Lines({ chart, ids, period, zone, pick, onUse }: LinesProps) {
  const { t } = useTranslation('groups')
  const mayExport = useCan('devices.export')
  const height = usePhone() ? 320 : 460
  const colours = useLineColours(ids)
  const label = t(`overview.${chart.measure}`)
  // No mean: those compared need not belong together.
  const panels = useMemo(
    () => [{ ...panelOf(chart, period, label, colours), points: [] }],
    [chart, period, label, colours],
  )
  const names = new Map(chart.lines.map(({ deviceId, name }) => [deviceId, name]))
  return (
    <>
      <LineLegend
        label={t('compare.devices')}
        lines={chart.lines.flatMap(({ deviceId, name }) => {
          const colour = colours.get(deviceId)
          const link = (
            <AnchorLink key={deviceId} to="/devices/$deviceId/details" params={{ deviceId }}>
              {name}
            </AnchorLink>
          )
          return colour ? [{ id: deviceId, name: link, colour }] : []
        })}
        onRemove={(id) => pick(ids.filter((other) => other !== id))}
        removeLabel={(id) => t('compare.remove', { name: names.get(id) ?? '' })}
      />
      <LazyTimeChart
        panels={panels}
        from={Date.parse(period.from)}
        to={Date.parse(period.to)}
        zone={zone}
        onUse={onUse}
        height={height}
        {...(mayExport && { image: { title: named(t('compare.title'), label) } })}
      />
      {ids.length === 1 && <p className={shared.small}>{t('compare.one')}</p>}
    </>
  )
}
