import { cadences, type Report, ReportQuery, reports } from '@isotherm/contract/reports.ts'
import {
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { useUrlSearch } from '../../../lib/url-search.ts'
import { AddButton } from '../../../ui/add-button.tsx'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { Page } from '../../../ui/page.tsx'
import { useBegin } from '../../../ui/use-begin.ts'
import { ReportDrawer } from '../parts/report-drawer.tsx'
import { RunsDrawer } from '../parts/runs-drawer.tsx'
import { useReportColumns } from '../parts/use-report-columns.tsx'
import { pauseReport } from '../pause-report.ts'
import { runReport } from '../run-report.ts'

const states = ['active', 'paused', 'faulty'] as const
const filters = { cadence: cadences, state: states }
export function ReportListPage() {
  const { t } = useTranslation('reports')
  const mayEdit = useCan('reports.addOrEdit')
  const mayExport = useCan('reports.export')
  const params = useListParams({ sort: ReportQuery.shape.sort, filters })
  const [isWatched, setWatched] = useState(false)
  const { page, perPage, state, ...rest } = params.asked
  const asked = { ...rest, ...(state === 'faulty' ? ({ faulty: 'true' } as const) : { state }) }
  const answer = useCall(
    reports.list,
    { query: { ...asked, page, perPage } },
    { keepPrevious: true, refetchMs: isWatched ? 2_000 : 60_000 },
  )
  const underWay = answer.data?.data.some(
    ({ lastRun }) => lastRun?.state === 'waiting' || lastRun?.state === 'building',
  )
  if (underWay !== undefined && underWay !== isWatched) setWatched(underWay)
  const columns = useReportColumns()
  const { ofRuns, openRuns } = useRunsInUrl(answer.data?.data)
  const { form, openForm } = useFormInUrl(answer.data?.data, mayEdit)
  const add = mayEdit && <AddButton onClick={() => openForm('new')}>{t('add')}</AddButton>
  useBegin(mayEdit && (() => openForm('new')))
  const actions = (
    <>
      {mayExport && (
        <ExportButton
          fileName="reports.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(reports.exportCsv, { query: asked }, { toastAll: true })}
        />
      )}
      {add}
    </>
  )
  return (
    <Page title={t('title')} actions={actions}>
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        filters={[
          {
            name: 'cadence',
            label: t('fields.cadence'),
            allLabel: t('allCadences'),
            options: cadences.map((value) => ({ value, label: t(`cadence.${value}`) })),
          },
          {
            name: 'state',
            label: t('fields.state'),
            allLabel: t('allStates'),
            options: states.map((value) => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        columns={columns}
        rowId={(report) => report.id}
        rowName={(report) => report.name}
        onOpen={openRuns}
        actions={useActions(openForm, openRuns)}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: add }}
      />
      {form && <ReportDrawer key={form.report?.id} report={form.report} onClose={() => openForm(null)} />}
      {ofRuns && <RunsDrawer report={ofRuns} onClose={() => openRuns(null)} />}
    </Page>
  )
}

/** The report in `?report=`, whose runs are open, also where the list does not have it; and how to open those of another. */
function useRunsInUrl(listed: readonly Report[] | undefined) {
  const { search, change } = useUrlSearch()
  const openRuns = (report: Report | null) => change({ report: report?.id }, { isStep: true })
  return { ofRuns: useReport(search.report, listed), openRuns }
}

/** The form in `?edit=`, of the report of that id or, by 'new', of a new one. No step of its own: "back" leaves the screen, which asks first. */
function useFormInUrl(listed: readonly Report[] | undefined, mayEdit: boolean) {
  const { search, change } = useUrlSearch()
  const report = useReport(mayEdit ? search.edit : undefined, listed) ?? null
  const isOpen = mayEdit && (search.edit === 'new' || report !== null)
  const openForm = (edit: string | null) => change({ edit: edit ?? undefined })
  return { form: isOpen ? { report } : null, openForm }
}

/** The report of an id in the address, also where the list does not have it. */
function useReport(given: string | undefined, listed: readonly Report[] | undefined): Report | undefined {
  const id = given && /^[1-9]\d{0,17}$/.test(given) ? given : ''
  const found = listed?.find((report) => report.id === id)
  const other = useCall(reports.one, { params: { id } }, { enabled: id !== '' && listed !== undefined && !found })
  const shown = found ?? other.data
  // It may leave the list while its form is open: what was typed must not go with it.
  const [held, setHeld] = useState(shown)
  if (shown && shown !== held) setHeld(shown)
  if (id === '') return undefined
  return shown ?? (held?.id === id && !other.error ? held : undefined)
}

/** The menu of a row. */
function useActions(
  openForm: (id: string) => void,
  openRuns: (report: Report) => void,
): (report: Report) => RowAction[] {
  const { t } = useTranslation('reports')
  const mayEdit = useCan('reports.addOrEdit')
  const remove = (report: Report) =>
    confirm({
      title: t('delete.title', { name: report.name }),
      text: t('delete.text'),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(reports.remove, { params: { id: report.id } })
        toastSuccess(t('deleted'))
        await refetchCalls(reports.list)
      },
    })
  return (report) => [
    {
      label: t('actions.runs'),
      icon: <IconHistory size={16} />,
      onClick: () => openRuns(report),
    },
    ...(mayEdit
      ? [
          {
            label: t('actions.run'),
            icon: <IconPlayerPlay size={16} />,
            onClick: () => runReport(report, () => openRuns(report)),
          },
          {
            label: t(report.paused ? 'actions.resume' : 'actions.pause'),
            icon: report.paused ? <IconPlayerTrackNext size={16} /> : <IconPlayerPause size={16} />,
            onClick: () => void pauseReport(report),
          },
          {
            label: t('common:actions.edit'),
            icon: <IconPencil size={16} />,
            onClick: () => openForm(report.id),
          },
          {
            label: t('common:actions.delete'),
            icon: <IconTrash size={16} />,
            onClick: () => remove(report),
            destructive: true,
          },
        ]
      : []),
  ]
}
