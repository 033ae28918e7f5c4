import { groupRecords } from '@isotherm/contract/group-records.ts'
import { records, type TrackRecord } from '@isotherm/contract/records.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { confirm } from '../../ui/confirm.ts'

export const refetchRecords = () =>
  refetchCalls(records.list, records.one, records.stats, groupRecords.list, groupRecords.one, groupRecords.stats)

type Of = Pick<TrackRecord, 'id' | 'name' | 'group'>

/** Begins, ends and deletes a record, after a question; of a group's record by the group's own calls. */
export function useRecordActions() {
  const { t } = useTranslation('records')
  const done = async (text: string) => {
    toastSuccess(t(text as 'start.done'))
    await refetchRecords()
  }
  return {
    start: ({ id, name, group }: Of) =>
      confirm({
        title: t('start.title', { name }),
        text: t('start.text'),
        action: t('start.action'),
        run: async () => {
          if (group) await call(groupRecords.start, { body: { groupId: group.id, recordId: id } })
          else await call(records.start, { params: { id } })
          await done('start.done')
        },
      }),
    end: ({ id, name, group }: Of) =>
      confirm({
        title: t('end.title', { name }),
        text: t('end.text'),
        action: t('end.action'),
        run: async () => {
          if (group) await call(groupRecords.end, { body: { groupId: group.id, recordId: id } })
          else await call(records.end, { params: { id } })
          await done('end.done')
        },
      }),
    remove: ({ id, name, group }: Of, onDone?: () => Promise<void>) =>
      confirm({
        title: t('remove.title', { name }),
        text: t('remove.text'),
        action: t('remove.action'),
        destructive: true,
        run: async () => {
          if (group) await call(groupRecords.remove, { params: { id: group.id, recordId: id } })
          else await call(records.remove, { params: { id } })
          // No screen may look for what is gone.
          await onDone?.()
          await done('remove.done')
        },
      }),
  }
}
