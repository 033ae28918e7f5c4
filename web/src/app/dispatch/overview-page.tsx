import { orderUploads } from '@isotherm/contract/bulk-uploads.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import type { Order } from '@isotherm/contract/orders.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconFileUpload, IconPlayerPlay, IconPlayerStop, IconSettings, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Scorecards } from '../../features/order-evidence/parts/scorecards.tsx'
import { OpenWarnings } from '../../features/order-life/parts/order-warnings.tsx'
import { DispatchBoard } from '../../features/order-tracking/parts/dispatch-board.tsx'
import { DispatchMap } from '../../features/order-tracking/parts/dispatch-map.tsx'
import { AttentionLine } from '../../features/orders/parts/attention-line.tsx'
import { OrderList, useOrderList } from '../../features/orders/parts/order-list.tsx'
import { SettingsDialog } from '../../features/orders/parts/settings-dialog.tsx'
import { TemplateDialog } from '../../features/orders/parts/template-dialog.tsx'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'
import { refetchCalls } from '../../lib/query.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { DispatchTabs } from '../../ui/dispatch-tabs.tsx'
import type { RowAction } from '../../ui/list/column.ts'
import { ExportButton } from '../../ui/list/export-button.tsx'
import { Page } from '../../ui/page.tsx'
import { useBegin } from '../../ui/use-begin.ts'
import { ActDialog, type OrderAct } from './act-dialog.tsx'
import classes from './dispatch.module.css'

const UploadDialog = lazy(async () => ({
  default: (await import('../../features/bulk-uploads/parts/upload-dialog.tsx')).UploadDialog,
}))

const looks = ['list', 'board', 'scores'] as const

/** The orders of the company: first those that need attention; beside them the map of what is under way. */
export function DispatchOverviewPage() {
  const { t } = useTranslation('orders')
  const navigate = useNavigate()
  const mayEdit = useCan('dispatch.addOrEdit')
  const mayExport = useCan('dispatch.export')
  const { params, answer } = useOrderList()
  const [hasSettings, setHasSettings] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const [kept, setKept] = useState<Order | null>(null)
  const [asked, setAsked] = useState<{ order: Order; act: OrderAct } | null>(null)
  const { search, change } = useUrlSearch()
  const look = looks.find((one) => one === search.look) ?? 'list'
  const begin = (search: { repeat?: string; edit?: string } = {}) =>
    void navigate({ to: '/dispatch/add-dispatch', search })
  const add = mayEdit && <AddButton onClick={() => begin()}>{t('add')}</AddButton>
  useBegin(mayEdit && (() => begin()))
  const { t: ofLife } = useTranslation('orderLife')
  const actsOf = ({ state }: Order, ask: (act: OrderAct) => void): RowAction[] => [
    ...(state === 'new'
      ? [{ label: ofLife('start.action'), icon: <IconPlayerPlay size={16} />, onClick: () => ask('start') }]
      : []),
    ...(state === 'inProgress'
      ? [{ label: ofLife('end.action'), icon: <IconPlayerStop size={16} />, onClick: () => ask('end') }]
      : []),
    ...(state === 'new' || state === 'inProgress'
      ? [{ label: ofLife('cancel.action'), icon: <IconX size={16} />, onClick: () => ask('cancel'), destructive: true }]
      : []),
  ]
  const { page: _page, perPage: _perPage, ...selection } = params.asked
  const actions = (
    <>
      {mayEdit && (
        <Button variant="default" leftSection={<IconSettings size={16} />} onClick={() => setHasSettings(true)}>
          {t('actions.settings')}
        </Button>
      )}
      {mayExport && (
        <ExportButton
          fileName="orders.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(orders.exportCsv, { query: selection }, { toastAll: true })}
        />
      )}
      {mayEdit && (
        <Button variant="default" leftSection={<IconFileUpload size={16} />} onClick={() => setUploading(true)}>
          {t('upload.action')}
        </Button>
      )}
      {add}
    </>
  )
  return (
    <Page title={t('title')} actions={actions} tabs={<DispatchTabs />}>
      <AttentionLine
        chosen={params.filters.attention}
        onChoose={(attention) => params.change({ filters: { attention } })}
      />
      <OpenWarnings />
      <SegmentedControl
        aria-label={t('look.label')}
        my="sm"
        data={looks.map((value) => ({ value, label: t(`look.${value}`) }))}
        value={look}
        onChange={(value) => change({ look: value === 'list' ? undefined : value })}
      />
      {look === 'scores' && <Scorecards />}
      <div className={classes.overview} hidden={look === 'scores'}>
        {look === 'board' && <DispatchBoard />}
        {look === 'list' && (
          <OrderList
            params={params}
            answer={answer}
            onOpen={({ id }) => void navigate({ to: '/dispatch/order/$orderId', params: { orderId: id } })}
            onEdit={({ id }) => begin({ edit: id })}
            onRepeat={({ id }) => begin({ repeat: id })}
            onTemplate={setKept}
            moreActions={(order) => actsOf(order, (act) => setAsked({ order, act }))}
            add={add}
          />
        )}
        {look !== 'scores' && <DispatchMap height={360} />}
      </div>
      {asked && <ActDialog {...asked} onClose={() => setAsked(null)} />}
      {hasSettings && <SettingsDialog onClose={() => setHasSettings(false)} />}
      {isUploading && (
        <Suspense fallback={null}>
          <UploadDialog
            title={t('upload.title')}
            calls={orderUploads}
            name="orders"
            onStored={() => void refetchCalls(orders.list, orders.summary)}
            onClose={() => setUploading(false)}
          />
        </Suspense>
      )}
      {kept && <TemplateDialog order={kept} onClose={() => setKept(null)} />}
    </Page>
  )
}
