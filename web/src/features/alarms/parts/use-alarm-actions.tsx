import { type Alarm, alarms } from '@isotherm/contract/alarms.ts'
import { IconBell, IconBellOff, IconListDetails, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { toastError, toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'
import { refetchTriggers } from '../use-trigger-actions.ts'

const sayFailure = (error: unknown) => {
  if (isCallError(error) && ![400, 401, 403, 422].includes(error.status)) toastError(error.message)
}

/** Unsnoozing and deleting an alarm, and pushing a test of it. */
export function useAlarmVerbs() {
  const { t } = useTranslation('alarms')
  const unsnooze = async (alarm: Pick<Alarm, 'id'> | 'all') => {
    try {
      if (alarm === 'all') {
        const { changed } = await call(alarms.snoozeAll, { body: { until: null } })
        toastSuccess(t('done.unsnoozedAll', { count: changed }))
      } else {
        await call(alarms.snooze, { params: { id: alarm.id }, body: { until: null } })
        toastSuccess(t('done.unsnoozed'))
      }
    } catch (error) {
      sayFailure(error)
    } finally {
      await refetchTriggers()
    }
  }
  /** `after` is over before anything is fetched again, so that no screen looks for what is gone. */
  const remove = (alarm: Alarm, after?: () => Promise<void>) =>
    confirm({
      title: t('delete.title', { name: alarm.name }),
      text: t(alarm.openTriggers > 0 ? 'delete.textOpen' : 'delete.text', { count: alarm.openTriggers }),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(alarms.remove, { params: { id: alarm.id } })
        toastSuccess(t('done.deleted'))
        await after?.()
        await refetchTriggers()
      },
    })
  const test = (alarm: Alarm) =>
    confirm({
      title: t('test.title', { name: alarm.name }),
      text: t('test.text', { count: alarm.recipients.length }),
      action: t('test.action'),
      run: async () => {
        const { messages } = await call(alarms.test, { params: { id: alarm.id } })
        toastSuccess(t('done.tested', { count: messages }))
      },
    })
  return { unsnooze, remove, test }
}

/** The menu of an alarm's row for somebody who may edit. */
export function useAlarmActions(onSnooze: (alarm: Alarm) => void): (alarm: Alarm) => RowAction[] {
  const { t } = useTranslation('alarms')
  const navigate = useNavigate()
  const { unsnooze, remove } = useAlarmVerbs()
  const go = (screen: 'details' | 'settings', { id }: Alarm) =>
    void navigate({ to: `/alarms/$alarmId/${screen}`, params: { alarmId: id } })
  return (alarm) => [
    { label: t('actions.details'), icon: <IconListDetails size={16} />, onClick: () => go('details', alarm) },
    { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: () => go('settings', alarm) },
    alarm.snoozedUntil
      ? { label: t('actions.unsnooze'), icon: <IconBell size={16} />, onClick: () => void unsnooze(alarm) }
      : { label: t('actions.snooze'), icon: <IconBellOff size={16} />, onClick: () => onSnooze(alarm) },
    {
      label: t('common:actions.delete'),
      icon: <IconTrash size={16} />,
      onClick: () => remove(alarm),
      destructive: true,
    },
  ]
}
