import { alarms } from '@isotherm/contract/alarms.ts'
import { type Group, type GroupOverview, groups } from '@isotherm/contract/groups.ts'
import { Button, Paper, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HappenedText } from '../../features/alarms/parts/trigger-parts.tsx'
import { stateOf } from '../../features/devices/device-state.ts'
import { GroupFrame } from '../../features/groups/parts/group-frame.tsx'
import { TotalsStrip } from '../../features/groups/parts/totals-strip.tsx'
import { useCan } from '../../lib/can.ts'
import { formatNumber, formatTemperature } from '../../lib/numbers.ts'
import { useCompany } from '../../lib/profile.ts'
import { useCall } from '../../lib/query.ts'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import { Age } from '../../ui/age.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ListCards } from '../../ui/list/list-cards.tsx'
import { ListTable } from '../../ui/list/list-table.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import shared from '../overview.module.css'
import classes from './groups.module.css'
import { MemberCard } from './member-card.tsx'
import { useMemberColumns } from './use-member-columns.tsx'

/** Rows shown before somebody asks for more. */
const step = 50

export const GroupOverviewPage = () => <GroupFrame>{(group) => <Overview key={group.id} group={group} />}</GroupFrame>

function Overview({ group }: { group: Group }) {
  const { t } = useTranslation('groups')
  const mayEdit = useCan('groups.addOrEdit')
  const isPhone = usePhone()
  const answer = useCall(groups.overview, { params: { id: group.id } }, { refetchMs: 60_000 })
  const { data } = answer
  if (!data)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={480} radius="md" />
    )
  if (data.devices.length === 0)
    return (
      <Paper className={shared.panel}>
        <Empty
          title={t('overview.noDevices')}
          text={mayEdit ? t('overview.noDevicesText') : undefined}
          action={
            mayEdit && (
              <Button
                leftSection={<IconPlus size={16} />}
                renderRoot={(props) => <Link {...props} to="/groups/$groupId/devices" params={{ groupId: group.id }} />}
              >
                {t('overview.addDevices')}
              </Button>
            )
          }
        />
      </Paper>
    )
  return (
    <div className={shared.stack}>
      <Figures overview={data} />
      <div className={`${shared.columns} ${classes.middle}`}>
        {/* On a phone one is below the other: first what somebody must act on. */}
        {isPhone && <OpenAlarms group={group} />}
        <Positions overview={data} />
        {!isPhone && <OpenAlarms group={group} />}
      </div>
      <TotalsStrip group={group} />
      <Values overview={data} />
    </div>
  )
}

function Figures({ overview: { byStatus, outOfRange, silent, devices } }: { overview: GroupOverview }) {
  const { t } = useTranslation('groups')
  const total = formatNumber(devices.length)
  const figures = [
    { key: 'live', count: byStatus.live, tone: 'ok' },
    { key: 'outOfRange', count: outOfRange, tone: outOfRange > 0 ? 'warm' : 'none' },
    { key: 'silent', count: silent, tone: silent > 0 ? 'warning' : 'none' },
  ] as const
  return (
    <div className={classes.figures}>
      {figures.map(({ key, count, tone }) => (
        <Paper key={key} className={`${shared.figure} ${classes.figure}`} data-tone={tone}>
          <span className={`${shared.number} ${classes.number}`}>{formatNumber(count ?? 0)}</span>
          <span className={classes.caption}>{t(`overview.${key}`)}</span>
          <span className={shared.small}>{t('overview.of', { total })}</span>
        </Paper>
      ))}
    </div>
  )
}

function Positions({ overview }: { overview: GroupOverview }) {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const phone = usePhone()
  const mapType = useCompany()?.mapType
  const mayOpen = useCan('devices.view')
  const markers = useMemo(
    () =>
      overview.devices.map((device) => ({
        id: device.id,
        lat: device.position?.lat ?? null,
        lon: device.position?.lon ?? null,
        state: stateOf(device).tone,
        label: device.name,
        value: device.temperatureC === null ? undefined : formatTemperature(device.temperatureC),
      })),
    [overview.devices],
  )
  return (
    <Paper className={shared.map}>
      <IsothermMap
        label={t('overview.map')}
        height={phone ? 280 : 380}
        markers={markers}
        fitTo="markers"
        mapType={mapType}
        onSelect={(id) =>
          id && mayOpen && void navigate({ to: '/devices/$deviceId/details', params: { deviceId: id } })
        }
        cooperative
      />
    </Paper>
  )
}

function OpenAlarms({ group }: { group: Group }) {
  const { t } = useTranslation('groups')
  const seesAlarms = useCan('alarms.view')
  const query = { states: 'open,acknowledged', group: group.id, perPage: 6 }
  const answer = useCall(alarms.triggers, { query }, { enabled: seesAlarms, refetchMs: 60_000 })
  if (!seesAlarms) return null
  const found = answer.data?.data ?? []
  return (
    <Paper className={shared.panel} component="section" aria-label={t('overview.alarms')}>
      <h2 className={shared.heading}>{t('overview.alarms')}</h2>
      {found.length === 0 && <p className={shared.nothing}>{t('overview.noAlarms')}</p>}
      <ul className={`${shared.alarms} ${classes.alarms}`}>
        {found.map((trigger) => (
          <li key={trigger.id} data-severity={trigger.severity}>
            <Link to="/alarms/triggered-alarms" search={{ trigger: trigger.id }} className={shared.link}>
              <HappenedText trigger={trigger} />
            </Link>
            <span className={shared.small}>
              <Age at={trigger.openedAt ?? trigger.breachAt} /> · {trigger.alarmName}
            </span>
          </li>
        ))}
      </ul>
    </Paper>
  )
}

function Values({ overview }: { overview: GroupOverview }) {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const phone = usePhone()
  const mayOpen = useCan('devices.view')
  const columns = useMemberColumns()
  const [shown, setShown] = useState(step)
  const rows = overview.devices.slice(0, shown)
  const left = overview.devices.length - rows.length
  const look = {
    rows,
    columns,
    label: t('overview.values'),
    rowId: (device: (typeof rows)[number]) => device.id,
    rowName: (device: (typeof rows)[number]) => device.name,
    card: (device: (typeof rows)[number]) => <MemberCard device={device} />,
    ...(mayOpen && {
      onOpen: ({ id }: { id: string }) => void navigate({ to: '/devices/$deviceId/details', params: { deviceId: id } }),
    }),
  }
  return (
    <Paper className={shared.panel} component="section" aria-label={t('overview.values')}>
      <h2 className={shared.heading}>{t('overview.values')}</h2>
      {phone ? <ListCards {...look} /> : <ListTable {...look} sort="" onSort={() => undefined} />}
      {left > 0 && (
        <Button variant="subtle" fullWidth onClick={() => setShown(shown + 5 * step)}>
          {t('overview.more', { count: left })}
        </Button>
      )}
    </Paper>
  )
}
