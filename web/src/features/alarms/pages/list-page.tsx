import { type Alarm, AlarmQuery, alarms } from '@isotherm/contract/alarms.ts'
import { Button, Menu } from '@mantine/core'
import { IconBell, IconBellOff, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { AlarmsFrame } from '../parts/alarms-frame.tsx'
import { SnoozeDialog } from '../parts/snooze-dialog.tsx'
import { useAlarmActions, useAlarmVerbs } from '../parts/use-alarm-actions.tsx'
import { AlarmCard, useAlarmColumns } from '../parts/use-alarm-columns.tsx'

const filters = {
  kind: ['value', 'fence', 'noData'],
  severity: ['warning', 'critical'],
  state: ['armed', 'snoozed', 'faulty'],
} as const
const askedStates = {
  all: {},
  armed: { snoozed: 'false' },
  snoozed: { snoozed: 'true' },
  faulty: { faulty: 'true' },
} as const

export function AlarmListPage() {
  const { t } = useTranslation('alarms')
  const navigate = useNavigate()
  const mayEdit = useCan('alarms.addOrEdit')
  const mayExport = useCan('alarms.export')
  const params = useListParams({ sort: AlarmQuery.shape.sort, filters })
  const [snoozing, setSnoozing] = useState<Alarm | 'all' | null>(null)
  const { page, perPage, state, ...asked } = params.asked
  const query = { ...asked, ...askedStates[state ?? 'all'] }
  const answer = useCall(alarms.list, { query: { ...query, page, perPage } }, { keepPrevious: true, refetchMs: 60_000 })
  const columns = useAlarmColumns()
  const actionsOf = useAlarmActions(setSnoozing)
  const total = answer.data?.meta.total ?? 0
  const add = mayEdit && (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => <Link {...props} to="/alarms/add-alarm-page" />}
    >
      {t('add')}
    </Button>
  )
  return (
    <AlarmsFrame
      actions={
        <>
          {mayExport && (
            <ExportButton
              fileName="alarms.csv"
              disabled={total === 0}
              load={() => call(alarms.exportCsv, { query }, { toastAll: true })}
            />
          )}
          {mayEdit && <EveryAlarm disabled={total === 0} onSnooze={() => setSnoozing('all')} />}
          {add}
        </>
      }
    >
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        filters={[
          {
            name: 'kind',
            label: t('filter.kind'),
            allLabel: t('filter.all'),
            options: filters.kind.map((value) => ({ value, label: t(`kind.${value}`) })),
          },
          {
            name: 'severity',
            label: t('filter.severity'),
            allLabel: t('filter.anySeverity'),
            options: filters.severity.map((value) => ({ value, label: t(`triggers:severity.${value}`) })),
          },
          {
            name: 'state',
            label: t('filter.state'),
            allLabel: t('filter.anyState'),
            options: [
              { value: 'armed', label: t('state.armed') },
              { value: 'snoozed', label: t('filter.snoozed') },
              { value: 'faulty', label: t('filter.faulty') },
            ],
          },
        ]}
        columns={columns}
        card={(alarm) => <AlarmCard alarm={alarm} />}
        rowId={(alarm) => alarm.id}
        rowName={(alarm) => alarm.name}
        onOpen={({ id }) => void navigate({ to: '/alarms/$alarmId/details', params: { alarmId: id } })}
        actions={mayEdit ? actionsOf : undefined}
        empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: add }}
      />
      {snoozing && <SnoozeDialog alarm={snoozing} onClose={() => setSnoozing(null)} />}
    </AlarmsFrame>
  )
}

function EveryAlarm({ disabled, onSnooze }: { disabled: boolean; onSnooze: () => void }) {
  const { t } = useTranslation('alarms')
  const { unsnooze } = useAlarmVerbs()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconBellOff size={16} />} disabled={disabled}>
          {t('actions.snoozeAllMenu')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconBellOff size={16} />} onClick={onSnooze}>
          {t('actions.snoozeAll')}
        </Menu.Item>
        <Menu.Item leftSection={<IconBell size={16} />} onClick={() => void unsnooze('all')}>
          {t('actions.unsnoozeAll')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
