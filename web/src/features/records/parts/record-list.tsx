import type { Meta } from '@isotherm/contract/paging.ts'
import { RecordQuery, recordStates, type TrackRecord } from '@isotherm/contract/records.ts'
import { IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../../lib/call-error.ts'
import type { RowAction } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { type ListParams, useListParams } from '../../../ui/list/use-list-params.ts'
import { useRecordActions } from '../use-record-actions.ts'
import { useRecordColumns } from './use-record-columns.tsx'

const filters = { state: recordStates }

/** A list of records, as the address says. */
export const useRecordParams = () => useListParams({ sort: RecordQuery.shape.sort, filters })

interface RecordListProps {
  params: ListParams
  answer: UseQueryResult<{ data: TrackRecord[]; meta: Meta }, CallError>
  mayEdit: boolean
  onOpen: (record: TrackRecord) => void
  make: ReactNode
}

export function RecordList({ params, answer, mayEdit, onOpen, make }: RecordListProps) {
  const { t } = useTranslation('records')
  const { start, end, remove } = useRecordActions()
  const actionsOf = (record: TrackRecord): RowAction[] => [
    ...(record.state === 'planned'
      ? [{ label: t('start.action'), icon: <IconPlayerPlay size={16} />, onClick: () => start(record) }]
      : []),
    ...(record.state === 'running'
      ? [{ label: t('end.action'), icon: <IconPlayerStop size={16} />, onClick: () => end(record) }]
      : []),
    // A signed one is evidence.
    ...(record.signature
      ? []
      : [
          {
            label: t('remove.action'),
            icon: <IconTrash size={16} />,
            onClick: () => remove(record),
            destructive: true,
          },
        ]),
  ]
  return (
    <ListView
      label={t('title')}
      answer={answer}
      params={params}
      searchLabel={t('search')}
      filters={[
        {
          name: 'state',
          label: t('state.label'),
          allLabel: t('state.all'),
          options: recordStates.map((value) => ({ value, label: t(`state.${value}`) })),
        },
      ]}
      columns={useRecordColumns()}
      rowId={(record) => record.id}
      rowName={(record) => record.name}
      onOpen={onOpen}
      actions={mayEdit ? actionsOf : undefined}
      empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: make }}
    />
  )
}
