import { type NotificationKind, notificationKinds, notifications } from '@isotherm/contract/notifications.ts'
import { Button, CloseButton, Drawer, Select, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { nowMs } from '../../../lib/now.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { DeviceSelect } from '../../../shared/device-select.tsx'
import { useGroupChoices } from '../../../shared/group-choices.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { HearingSettings } from './hearing-settings.tsx'
import { NotificationLine } from './line.tsx'
import classes from './notifications.module.css'

const hours = { day: 24, week: 168, month: 720 } as const
type PeriodName = keyof typeof hours | 'all'
const step = 25

/** Everything the person was told, newest first: search, period, kind; read and unread; how they want to hear. */
export function Centre({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('notifications')
  const filters = useFilters()
  const [pages, setPages] = useState(1)
  const mayChange = useCan(notifications.changeSettings)
  const { data, error, refetch, isPlaceholderData } = useCall(
    notifications.list,
    { query: { perPage: step, ...filters.asked } },
    { enabled: opened, keepPrevious: true },
  )
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={420}
      withCloseButton={false}
      padding={0}
      // On the dialog itself: without a title it would have no name.
      attributes={{ content: { 'aria-label': t('bell') } }}
    >
      <header className={classes.head}>
        <h2>{t('bell')}</h2>
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={!data?.unread}
          onClick={() =>
            void call(notifications.read, { body: { all: true } }, { toastAll: true })
              .then(() => refetchCalls(notifications.list))
              .catch(() => undefined)
          }
        >
          {t('readAll')}
        </Button>
        <CloseButton onClick={onClose} aria-label={t('common:actions.close')} />
      </header>
      <Filters {...filters} opened={opened} />
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Renewing isOld={isPlaceholderData}>
          {data.data.length === 0 && <Empty title={data.message ?? t('none')} />}
          <ul className={classes.list}>
            {data.data.map((each) => (
              <NotificationLine key={each.id} notification={each} onOpen={onClose} />
            ))}
          </ul>
          <Earlier
            {...{ before: data.next, asked: filters.asked, pages: pages - 1, opened, onOpen: onClose }}
            onMore={() => setPages((shown) => shown + 1)}
          />
        </Renewing>
      ) : (
        <Skeleton height={240} m="md" />
      )}
      {mayChange && <HearingSettings />}
    </Drawer>
  )
}

interface EarlierProps {
  before: string | null
  asked: ReturnType<typeof useFilters>['asked']
  /** How many further pages are open. */
  pages: number
  opened: boolean
  onOpen: () => void
  onMore: () => void
}

/** The pages after one, each by the end of the one before: what comes meanwhile moves the first line of each, and leaves out none. */
function Earlier({ before, pages, ...rest }: EarlierProps) {
  const { t } = useTranslation('notifications')
  const { asked, opened, onOpen, onMore } = rest
  const { data, error, refetch, isPlaceholderData } = useCall(
    notifications.list,
    { query: { perPage: step, ...asked, ...(before && { before }) } },
    { enabled: opened && pages > 0 && before !== null, keepPrevious: true },
  )
  if (before === null) return null
  if (pages === 0)
    return (
      <Button className={classes.more} variant="default" onClick={onMore}>
        {t('more')}
      </Button>
    )
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton height={240} m="md" />
  return (
    <>
      <Renewing isOld={isPlaceholderData}>
        <ul className={classes.list}>
          {data.data.map((each) => (
            <NotificationLine key={each.id} notification={each} onOpen={onOpen} />
          ))}
        </ul>
      </Renewing>
      <Earlier before={data.next} pages={pages - 1} {...rest} />
    </>
  )
}

interface Chosen {
  period: PeriodName
  kind: NotificationKind | null
  device: string | null
  group: string | null
}

/** The filters, and what the list is asked for by them. */
function useFilters() {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const [chosen, setChosen] = useState<Chosen>({ period: 'week', kind: null, device: null, group: null })
  const { period, kind, device, group } = chosen
  // The period stands still while the drawer is open: what comes meanwhile is later than its beginning anyway.
  const from = useMemo(
    () => (period === 'all' ? undefined : new Date(nowMs() - hours[period] * 3_600_000).toISOString()),
    [period],
  )
  const asked = {
    ...(search && { search }),
    ...(from && { from }),
    ...(kind && { kind }),
    ...(device && { device }),
    ...(group && { group }),
  }
  const change = (next: Partial<Chosen>) => setChosen((before) => ({ ...before, ...next }))
  return { typed, setTyped, chosen, change, asked }
}

function Filters({ typed, setTyped, chosen, change, opened }: ReturnType<typeof useFilters> & { opened: boolean }) {
  const { t } = useTranslation('notifications')
  const groups = useGroupChoices({ enabled: opened })
  const seesDevices = useCan('devices.view')
  return (
    <div className={classes.filters}>
      <TextInput
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        placeholder={t('search')}
        aria-label={t('search')}
      />
      <Select
        aria-label={t('period')}
        value={chosen.period}
        onChange={(value) => change({ period: (value as PeriodName | null) ?? 'week' })}
        data={(['day', 'week', 'month', 'all'] as const).map((value) => ({ value, label: t(`periods.${value}`) }))}
        allowDeselect={false}
      />
      <Select
        aria-label={t('kind')}
        value={chosen.kind ?? 'all'}
        onChange={(value) => change({ kind: value === 'all' ? null : (value as NotificationKind) })}
        data={['all' as const, ...notificationKinds].map((value) => ({ value, label: t(`kinds.${value}`) }))}
        allowDeselect={false}
      />
      {seesDevices && (
        <DeviceSelect
          aria-label={t('device')}
          placeholder={t('anyDevice')}
          nothingFoundMessage={t('common:list.noResults')}
          clearable
          value={chosen.device}
          onChange={(device) => change({ device })}
        />
      )}
      {groups.length > 0 && (
        <Select
          aria-label={t('group')}
          placeholder={t('anyGroup')}
          searchable
          clearable
          value={chosen.group}
          onChange={(group) => change({ group })}
          data={groups}
        />
      )}
    </div>
  )
}
