import { billing, type Invoice, type InvoiceState } from '@isotherm/contract/billing.ts'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { formatMoney } from '../../../lib/money.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { PeriodFields } from '../../../ui/list/period-fields.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { noRows, usePeriod } from '../../../ui/list/use-period.ts'
import { Page } from '../../../ui/page.tsx'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import classes from '../parts/money.module.css'
import { SubscriptionTabs } from '../parts/subscription-tabs.tsx'

/** The invoices and credit notes of the last year, or of a period that is chosen, newest first. */
export function InvoicesPage() {
  const { t } = useTranslation('wallet')
  const list = useListParams()
  const { params, from, to, crossed, asked } = usePeriod(list)
  const { page, perPage } = list.asked
  const answer = useCall(
    billing.invoices,
    { body: { page, perPage, ...asked } },
    { keepPrevious: true, enabled: !crossed },
  )
  const mayExport = useCan('payments.export')
  const columns = useMemo<Column<Invoice>[]>(
    () => [
      { key: 'serial', title: t('invoices.serial'), render: ({ serialNumber }) => serialNumber },
      { key: 'what', title: t('invoices.what'), render: (invoice) => <Bought invoice={invoice} /> },
      { key: 'state', title: t('invoices.state'), width: 170, render: (invoice) => <State invoice={invoice} /> },
      {
        key: 'amount',
        title: t('invoices.amount'),
        align: 'right',
        render: ({ amount, currency }) => formatMoney(amount, currency),
      },
      { key: 'date', title: t('invoices.date'), width: 160, isTime: true, render: ({ date }) => formatDate(date) },
    ],
    [t],
  )
  return (
    <Page
      title={t('invoices.title')}
      tabs={<SubscriptionTabs />}
      actions={
        mayExport && (
          <ExportButton
            fileName="invoices.csv"
            disabled={crossed || answer.data?.meta.total === 0}
            load={() => call(billing.exportInvoices, { query: asked }, { toastAll: true })}
          />
        )
      }
    >
      <ListView
        label={t('invoices.title')}
        answer={crossed ? { ...answer, data: noRows } : answer}
        params={params}
        toolbarExtra={<PeriodFields params={params} from={from} to={to} crossed={crossed} />}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ serialNumber }) => serialNumber}
        onOpen={(invoice) => void save(invoice)}
        actions={(invoice) => [
          {
            label: t('invoices.open', { serial: invoice.serialNumber }),
            icon: <IconDownload size={16} />,
            onClick: () => void save(invoice),
          },
        ]}
        card={(invoice) => (
          <span className={classes.card}>
            <b>{invoice.serialNumber}</b>
            <Bought invoice={invoice} />
            <State invoice={invoice} />
            <span className={classes.number}>
              {formatMoney(invoice.amount, invoice.currency)} · {formatDate(invoice.date)}
            </span>
          </span>
        )}
        empty={{ title: t('invoices.empty'), text: t('invoices.emptyText') }}
      />
    </Page>
  )
}

/** A failure is toasted. */
const save = ({ id, serialNumber }: Invoice) =>
  call(billing.invoicePdf, { params: { id } }, { toastAll: true }).then(
    (file) => download(file, `${serialNumber}.pdf`),
    () => undefined,
  )

const tones: Record<InvoiceState, Tone> = {
  paid: 'ok',
  owed: 'warning',
  void: 'none',
  credited: 'none',
  partlyCredited: 'none',
}

function State({ invoice: { state } }: { invoice: Invoice }) {
  const { t } = useTranslation('wallet')
  return state ? (
    <StateDot tone={tones[state]} label={t(`invoices.states.${state}`)} />
  ) : (
    <span>{t('invoices.creditNote')}</span>
  )
}

function Bought({ invoice: { lines, refersTo } }: { invoice: Invoice }) {
  const { t } = useTranslation('wallet')
  if (refersTo) return <span>{t('invoices.credit', { serial: refersTo.serialNumber })}</span>
  const names = lines.map((line) =>
    line.what === 'units'
      ? t(`bought.${line.kind}`, { count: line.quantity, number: formatNumber(line.quantity) })
      : t('during', {
          what: t(`planned.${line.what === 'plan' ? line.cadence : 'unused'}`, { plan: line.plan }),
          from: formatDate(line.from),
          to: formatDate(line.to),
        }),
  )
  return <span>{names.join(', ')}</span>
}
