import type { FilterCounts, Meta } from '@isotherm/contract/paging.ts'
import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { type ReactNode, Suspense, use } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/numbers.ts'
import { Empty } from '../empty.tsx'
import { Failure } from '../failure.tsx'
import { Renewing } from '../renewing.tsx'
import { useNarrow } from '../use-phone.ts'
import type { RowLook } from './column.ts'
import { ColumnMenu, useColumnChoice } from './column-choice.tsx'
import classes from './list.module.css'
import { ListCards } from './list-cards.tsx'
import { ListTable } from './list-table.tsx'
import { type FilterChips, ListToolbar } from './list-toolbar.tsx'
import { PageButtons } from './page-buttons.tsx'
import { SavedViewsContext } from './saved-views-slot.ts'
import { SortField } from './sort-field.tsx'
import { useLastPage } from './use-last-page.ts'
import type { ListParams } from './use-list-params.ts'

/** The part of `useCall(row, ..., { keepPrevious: true })` that a list needs. */
export interface ListAnswer<Row> {
  data: { data: Row[]; meta: Meta; filterCounts?: FilterCounts } | undefined
  error: unknown
  isPlaceholderData: boolean
  refetch: () => unknown
}

interface ListViewProps<Row> extends RowLook<Row> {
  /** Names the list: "Devices". */
  label: string
  answer: ListAnswer<Row>
  params: ListParams
  /** Placeholder and name of the search field; without it there is none. */
  searchLabel?: string
  filters?: FilterChips[]
  toolbarExtra?: ReactNode
  /** Shown when there is nothing at all: what to do, and the button for it. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** Cards at every width: rows that say too much for columns. */
  asCards?: boolean
  /** Buttons of the bar that appears with a selection. */
  bulkActions?: ReactNode
}

/** The scaffold of every list: toolbar, table (cards on a phone), skeleton, empty state, error with retry, pages. */
export function ListView<Row>(props: ListViewProps<Row>) {
  const { answer, params, selection, label } = props
  const isPhone = useNarrow()
  const SavedViews = use(SavedViewsContext)
  const choice = useColumnChoice(props.columns)
  useLastPage({
    page: params.page,
    pageCount: answer.isPlaceholderData ? undefined : answer.data?.meta.pageCount,
    onTurn: (page) => params.change({ page }),
  })
  const mayChoose = !isPhone && !props.asCards && props.columns.length > 3
  return (
    <Stack gap="sm" className={classes.list}>
      <ListToolbar
        params={params}
        searchLabel={props.searchLabel}
        filters={props.filters?.flatMap((filter) => counted(filter, answer.data?.filterCounts?.[filter.name], params))}
        extra={
          <>
            <SortField columns={props.columns} params={params} />
            {props.toolbarExtra}
          </>
        }
        looks={
          <>
            {SavedViews && (
              <Suspense fallback={null}>
                <SavedViews screen={choice.screen} columns={choice.chosen} onColumns={choice.choose} />
              </Suspense>
            )}
            {mayChoose && <ColumnMenu columns={props.columns} choice={choice} />}
          </>
        }
      />
      {selection && selection.ids.size > 0 && <BulkBar {...props} />}
      <Renewing isOld={answer.isPlaceholderData}>
        <Paper className={classes.panel}>
          <Body {...props} columns={choice.shown} />
        </Paper>
      </Renewing>
      {answer.data && answer.data.meta.pageCount > 1 && <Pages meta={answer.data.meta} params={params} label={label} />}
    </Stack>
  )
}

/** The chips of a filter with their counts, where the server told them; none where there is nothing to choose from. */
function counted(filter: FilterChips, counts: Record<string, number> | undefined, { filters }: ListParams) {
  if (!counts) return [filter]
  if (counts.all === 0 && !filters[filter.name]) return []
  const options = filter.options.map((option) => ({ ...option, count: counts[option.value] }))
  return [{ ...filter, allCount: counts.all, options }]
}

function Body<Row>(props: ListViewProps<Row>) {
  const { t } = useTranslation()
  const phone = useNarrow()
  const { answer, params, empty, asCards, ...look } = props
  if (!answer.data) {
    if (answer.error) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    return <Waiting label={t('list.loading')} />
  }
  const rows = answer.data.data
  if (rows.length === 0) {
    const narrowed = params.search !== '' || Object.values(params.filters).some(Boolean)
    if (!narrowed && answer.data.meta.total === 0) return <Empty {...empty} />
    return <NothingFound params={params} />
  }
  if (phone || asCards) return <ListCards rows={rows} {...look} />
  return <ListTable rows={rows} sort={params.sort} onSort={(sort) => params.change({ sort })} {...look} />
}

function Waiting({ label }: { label: string }) {
  return (
    <Stack gap="md" p="md" role="status" aria-label={label}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} height={22} radius="sm" />
      ))}
    </Stack>
  )
}

function NothingFound({ params }: { params: ListParams }) {
  const { t } = useTranslation()
  const none = Object.fromEntries(Object.keys(params.filters).map((name) => [name, undefined]))
  return (
    <Empty
      title={t('list.noResults')}
      text={t('list.noResultsText')}
      action={
        <Button variant="default" onClick={() => params.change({ search: '', filters: none })}>
          {t('list.showAll')}
        </Button>
      }
    />
  )
}

function BulkBar<Row>({ selection, bulkActions }: ListViewProps<Row>) {
  const { t } = useTranslation()
  return (
    <Group className={classes.bulk} role="toolbar" aria-label={t('list.bulk')}>
      <Text size="sm" fw={550}>
        {t('list.selected', { count: selection?.ids.size ?? 0 })}
      </Text>
      {bulkActions}
      <Button variant="subtle" size="xs" onClick={selection?.clear}>
        {t('list.clearSelection')}
      </Button>
    </Group>
  )
}

function Pages({ meta, params, label }: { meta: Meta; params: ListParams; label: string }) {
  const { t } = useTranslation()
  const first = (meta.page - 1) * meta.perPage + 1
  const last = Math.min(meta.total, meta.page * meta.perPage)
  return (
    <Group justify="space-between" component="nav" aria-label={t('list.pagesOf', { name: label })}>
      <Text size="sm" c="dimmed">
        {t('list.range', { first: formatNumber(first), last: formatNumber(last), total: formatNumber(meta.total) })}
      </Text>
      <PageButtons page={meta.page} pageCount={meta.pageCount} onTurn={(page) => params.change({ page })} />
    </Group>
  )
}
