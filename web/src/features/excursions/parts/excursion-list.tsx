import type { ExcursionCause, ListedExcursion } from '@isotherm/contract/excursions.ts'
import { Button } from '@mantine/core'
import { IconChartLine, IconPencil } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { nowMs } from '../../../lib/now.ts'
import { ChoiceFilter } from '../../../ui/list/choice-filter.tsx'
import { type ListAnswer, ListView } from '../../../ui/list/list-view.tsx'
import type { ListParams } from '../../../ui/list/use-list-params.ts'
import { useSelection } from '../../../ui/list/use-selection.ts'
import { chartWindow } from '../chart-window.ts'
import { chips } from '../use-excursion-params.ts'
import { ExcursionCard } from './excursion-card.tsx'
import { CauseButton, Links, rowNameOf } from './excursion-parts.tsx'
import { useExcursionColumns } from './use-excursion-columns.tsx'

const AnnotationDrawer = lazy(async () => ({ default: (await import('./annotation-drawer.tsx')).AnnotationDrawer }))

interface Choice {
  value: string
  label: string
}

interface ExcursionListProps {
  answer: ListAnswer<ListedExcursion>
  params: ListParams
  causes: ExcursionCause[]
  owners: Choice[]
  /** The list is of many devices, which each row names; their groups narrow it. */
  groups?: Choice[]
  empty: { title: string; text: string }
}

/** Excursions with what people say of them; each opens on its device's chart. */
export function ExcursionList({ answer, params, causes, owners, groups, empty }: ExcursionListProps) {
  const { t } = useTranslation('excursions')
  const navigate = useNavigate()
  const mayEdit = useCan('devices.addOrEdit')
  const selection = useSelection()
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  const rows = answer.data?.data ?? []
  const annotate = (ids: readonly string[]) => setAsked(ids)
  const onAnnotate = mayEdit ? (row: ListedExcursion) => annotate([row.id]) : undefined
  const open = (row: ListedExcursion) =>
    void navigate({
      to: '/devices/$deviceId/details',
      params: { deviceId: row.deviceId },
      search: chartWindow(row, nowMs()),
    })
  const ofAll = groups !== undefined
  const labels = {
    measure: (value: string) => t(`measure.${value}`),
    side: (value: string) => t(`side.${value}`),
    open: (value: string) => t(value === 'true' ? 'filter.open' : 'filter.over'),
  }
  return (
    <>
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={ofAll ? t('search') : undefined}
        toolbarExtra={
          <>
            {groups && <ChoiceFilter params={params} name="group" label={t('filter.group')} data={groups} />}
            <ChoiceFilter
              params={params}
              name="cause"
              label={t('filter.cause')}
              data={[
                { value: 'none', label: t('filter.noCause') },
                { value: 'some', label: t('filter.someCause') },
                ...causes.map(({ key, name }) => ({ value: key, label: name })),
              ]}
            />
            <ChoiceFilter
              params={params}
              name="owner"
              label={t('filter.owner')}
              data={[{ value: 'none', label: t('filter.noOwner') }, ...owners]}
            />
          </>
        }
        filters={(['open', 'measure', ...(ofAll ? (['side'] as const) : [])] as const).map((name) => ({
          name,
          label: t(`filter.${name === 'open' ? 'state' : name}`),
          allLabel: t('filter.all'),
          options: chips[name].map((value) => ({ value, label: labels[name](value) })),
        }))}
        columns={useExcursionColumns({ ofAll, onAnnotate })}
        rowId={(row) => row.id}
        rowName={(row) => rowNameOf(row, t)}
        onOpen={open}
        card={(row) => <ExcursionCard row={row} ofAll={ofAll} />}
        aside={(row) => (
          <>
            {mayEdit && <CauseButton row={row} onAnnotate={() => annotate([row.id])} />}
            <Links row={row} />
          </>
        )}
        actions={
          mayEdit
            ? (row) => [
                {
                  label: t('annotate.action'),
                  icon: <IconPencil size={16} />,
                  onClick: () => annotate([row.id]),
                },
                { label: t('actions.chart'), icon: <IconChartLine size={16} />, onClick: () => open(row) },
              ]
            : undefined
        }
        selection={mayEdit ? selection : undefined}
        bulkActions={
          <Button size="xs" onClick={() => annotate([...selection.ids])}>
            {t('annotate.action')}
          </Button>
        }
        empty={empty}
      />
      <Suspense fallback={null}>
        {asked && (
          <AnnotationDrawer
            ids={asked}
            rows={rows.filter(({ id }) => asked.includes(id))}
            causes={causes}
            owners={owners}
            onSaved={selection.clear}
            onClose={() => setAsked(null)}
          />
        )}
      </Suspense>
    </>
  )
}
