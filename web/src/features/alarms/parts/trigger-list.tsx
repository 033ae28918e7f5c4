import { alarms } from '@isotherm/contract/alarms.ts'
import { type Trigger, type TriggerPage, TriggerQuery, TriggerState } from '@isotherm/contract/triggers.ts'
import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useNow } from '../../../lib/now.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { useUrlSearch } from '../../../lib/url-search.ts'
import type { FilterChips } from '../../../ui/list/list-toolbar.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { type ListParams, useListParams } from '../../../ui/list/use-list-params.ts'
import { useSelection } from '../../../ui/list/use-selection.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { happenedIn } from '../trigger-words.ts'
import { useAcknowledge } from '../use-trigger-actions.ts'
import { BulkAssign } from './bulk-assign.tsx'
import { OverDialog } from './over-dialog.tsx'
import { ResolveDialog } from './resolve-dialog.tsx'
import { TriggerPanel } from './trigger-panel.tsx'
import { TriggerButtons, TriggerRow } from './trigger-row.tsx'
import classes from './triggers.module.css'

const states = TriggerState.options
const active = ['open', 'acknowledged'] as const
const filters = { state: states, assignee: ['me', 'nobody'], severity: ['warning', 'critical'] } as const

// The triggers that need somebody come first, those of a device together.
const sort = TriggerQuery.shape.sort.removeDefault().default('urgency')

const useTriggerParams = () => useListParams({ sort, filters })

interface TriggerListProps {
  /** Only this alarm's. */
  alarmId?: string
  empty: { title: string; text?: string; action?: ReactNode }
}

/** Triggers, live: acknowledge and resolve from the row or for several; the one in `?trigger=` is open beside the list. */
export function TriggerList({ alarmId, empty }: TriggerListProps) {
  const { t } = useTranslation('alarms')
  const now = useNow()
  const isPhone = usePhone()
  const params = useTriggerParams()
  const { openId, open } = useOpenTrigger()
  const selection = useSelection()
  const [resolving, setResolving] = useState<{ ids: string[]; triggers: Trigger[]; what: string } | null>(null)
  const [isResolvingOver, setResolvingOver] = useState(false)
  const { acknowledge, acknowledgeAll, busy } = useAcknowledge()
  const answer = useTriggers(params.asked, alarmId)
  const counts = answer.data?.counts
  const chips = useTriggerChips(answer.data, params.filters.state)
  const rows = answer.data?.data ?? []
  const seen = useSeen(answer.data?.data)
  const words = (trigger: Trigger) => happenedIn(trigger, (key, values) => t(`triggers:${key}`, values), now)
  const buttons = (trigger: Trigger) => (
    <TriggerButtons
      trigger={trigger}
      busy={busy.has(trigger.id)}
      onAcknowledge={() => void acknowledge(trigger)}
      onResolve={() => setResolving({ ids: [trigger.id], triggers: [trigger], what: words(trigger) })}
    />
  )
  const mayResolve = useCan('alarms.addOrEdit')
  const over = counts?.normal ?? 0
  const mayAct = mayResolve || rows.some(({ canAcknowledge }) => canAcknowledge)
  return (
    <div className={classes.layout} data-open={(openId && !isPhone) || undefined}>
      <ListView
        asCards
        label={t('triggers.title')}
        answer={answer}
        params={params}
        searchLabel={t('triggers.search')}
        toolbarExtra={
          <>
            <SortChoice params={params} />
            {mayResolve && over > 0 && (
              <Button size="sm" variant="default" onClick={() => setResolvingOver(true)}>
                {t('over.open', { number: formatNumber(over) })}
              </Button>
            )}
          </>
        }
        filters={chips}
        columns={[]}
        card={(trigger) => <TriggerRow trigger={trigger} />}
        edge={(trigger) => trigger.severity}
        aside={buttons}
        openId={openId ?? undefined}
        rowId={(trigger) => trigger.id}
        rowName={words}
        onOpen={(trigger) => open(trigger.id === openId ? null : trigger.id)}
        selection={mayAct ? selection : undefined}
        isSelectable={(trigger) => mayResolve || trigger.canAcknowledge}
        groupOf={
          params.sort === 'urgency'
            ? ({ deviceId, deviceName }) => ({
                key: deviceId,
                title: isWhole(deviceId, answer.data)
                  ? t('triggers.ofDevice', {
                      name: deviceName,
                      count: rows.filter((each) => each.deviceId === deviceId).length,
                    })
                  : deviceName,
              })
            : undefined
        }
        bulkActions={
          <>
            <Button
              size="xs"
              onClick={() => {
                void acknowledgeAll([...selection.ids])
                selection.clear()
              }}
            >
              {t('actions.acknowledge')}
            </Button>
            {mayResolve && (
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  setResolving({
                    ids: [...selection.ids],
                    triggers: [...selection.ids].flatMap((id) => seen.current.get(id) ?? []),
                    what: '',
                  })
                }
              >
                {t('actions.resolve')}
              </Button>
            )}
            <BulkAssign ids={[...selection.ids]} onDone={selection.clear} />
          </>
        }
        empty={empty}
      />
      {openId && (
        <TriggerPanel key={openId} id={openId} isPhone={isPhone} onClose={() => open(null)} buttons={buttons} />
      )}
      {resolving && (
        <ResolveDialog
          {...resolving}
          onClose={() => {
            setResolving(null)
            selection.clear()
          }}
        />
      )}
      {isResolvingOver && (
        <OverDialog
          count={over}
          filters={{ ...overFilters(params.asked), alarm: alarmId }}
          onClose={() => setResolvingOver(false)}
        />
      )}
    </div>
  )
}

/** Whether all triggers of a device stand on this page: those of the first and the last one may go on beside it. */
function isWhole(deviceId: string, page: TriggerPage | undefined): boolean {
  if (!page) return false
  const { data, meta } = page
  const goesBack = meta.page > 1 && data[0]?.deviceId === deviceId
  const goesOn = meta.page < meta.pageCount && data.at(-1)?.deviceId === deviceId
  return !goesBack && !goesOn
}

/** The triggers that were listed, as last seen: those that are ticked may stand on other pages by now. */
function useSeen(rows: readonly Trigger[] | undefined) {
  const seen = useRef(new Map<string, Trigger>())
  useEffect(() => {
    for (const row of rows ?? []) seen.current.set(row.id, row)
  }, [rows])
  return seen
}

const overFilters = ({ search, severity, assignee }: TriggersQuery) => ({ search, severity, assignee })

type TriggersQuery = ReturnType<typeof useTriggerParams>['asked']

function useTriggers({ state, ...asked }: TriggersQuery, alarmId: string | undefined) {
  const states = state ?? active.join(',')
  return useCall(
    alarms.triggers,
    { query: { states, ...asked, alarm: alarmId } },
    { keepPrevious: true, refetchMs: 60_000 },
  )
}

/** Filters by state and by person, with how many there are, and by severity. What has no triggers has no chip. */
function useTriggerChips(page: TriggerPage | undefined, chosen: string | undefined): FilterChips[] {
  const { t } = useTranslation('alarms')
  const counts = page?.counts
  return [
    {
      name: 'state',
      label: t('triggers.filter.state'),
      allLabel: t('triggers.filter.active'),
      allCount: counts && active.reduce((sum, state) => sum + (counts[state] ?? 0), 0),
      options: (['open', 'acknowledged', 'normal', 'resolved', 'pending'] as const)
        .filter((value) => value === chosen || (counts?.[value] ?? 0) > 0)
        .map((value) => ({
          value,
          label: value === 'open' ? t('triggers.filter.unacknowledged') : t(`triggers:state.${value}`),
          count: counts?.[value],
        })),
    },
    {
      name: 'assignee',
      label: t('triggers.filter.assignee'),
      allLabel: t('triggers.filter.anybody'),
      options: filters.assignee.map((value) => ({
        value,
        label: t(`triggers.filter.${value}`),
        count: page?.assigned[value],
      })),
    },
    {
      name: 'severity',
      label: t('triggers.filter.severity'),
      allLabel: t('triggers.filter.anySeverity'),
      options: filters.severity.map((value) => ({ value, label: t(`triggers:severity.${value}`) })),
    },
  ]
}

function SortChoice({ params }: { params: ListParams }) {
  const { t } = useTranslation('alarms')
  return (
    <NativeSelect
      size="sm"
      aria-label={t('common:list.sortBy')}
      value={params.sort}
      onChange={(event) => params.change({ sort: event.currentTarget.value })}
      data={(['urgency', '-openedAt', 'openedAt', '-severity', 'deviceName'] as const).map((value) => ({
        value,
        label: t(`triggers.sort.${value.replace('-', 'down_')}`),
      }))}
    />
  )
}

/** The trigger whose details are open, in the URL. */
function useOpenTrigger() {
  const { search, change } = useUrlSearch()
  const openId = search.trigger && /^[1-9]\d{0,17}$/.test(search.trigger) ? search.trigger : null
  const open = (id: string | null) => change({ trigger: id ?? undefined }, { isStep: true })
  return { openId, open }
}
