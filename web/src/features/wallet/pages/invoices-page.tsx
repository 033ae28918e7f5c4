import { billing, type Invoice } from '@isotherm/contract/billing.ts'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { formatMoney } from '../../../lib/money.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { Page } from '../../../ui/page.tsx'
import classes from '../parts/wallet.module.css'
import { WalletTabs } from '../parts/wallet-tabs.tsx'

/** The invoices of the last year, newest first. */
export function InvoicesPage() {
  const { t } = useTranslation('wallet')
  const params = useListParams()
  const { page, perPage } = params.asked
  const answer = useCall(billing.invoices, { body: { page, perPage } }, { keepPrevious: true })
  const columns = useMemo<Column<Invoice>[]>(
    () => [
      { key: 'serial', title: t('invoices.serial'), render: ({ serialNumber }) => serialNumber },
      { key: 'what', title: t('invoices.what'), render: (invoice) => <Bought invoice={invoice} /> },
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
    <Page title={t('invoices.title')} tabs={<WalletTabs />}>
      <ListView
        label={t('invoices.title')}
        answer={answer}
        params={params}
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

function Bought({ invoice: { lines } }: { invoice: Invoice }) {
  const { t } = useTranslation('wallet')
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
