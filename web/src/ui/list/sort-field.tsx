import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../use-phone.ts'
import type { Column } from './column.ts'
import type { ListParams } from './use-list-params.ts'

/** Sorting on a phone, where there are no column heads. */
export function SortField<Row>({ columns, params }: { columns: Column<Row>[]; params: ListParams }) {
  const { t } = useTranslation()
  const phone = useNarrow()
  const sortable = columns.filter((column) => column.sort)
  if (!phone || sortable.length === 0) return null
  return (
    <NativeSelect
      size="sm"
      aria-label={t('list.sortBy')}
      value={params.sort}
      onChange={(event) => params.change({ sort: event.currentTarget.value })}
      data={sortable.flatMap(({ sort = '', title }) => [
        { value: sort, label: `${title} \u2191` },
        { value: `-${sort}`, label: `${title} \u2193` },
      ])}
    />
  )
}
