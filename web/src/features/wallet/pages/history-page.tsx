import { WalletKind } from '@isotherm/contract/units.ts'
import { type WalletEntry, wallet } from '@isotherm/contract/wallet.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatMoment } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { PeriodFields } from '../../../ui/list/period-fields.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { noRows, usePeriod } from '../../../ui/list/use-period.ts'
import { Page } from '../../../ui/page.tsx'
import classes from '../parts/wallet.module.css'
import { WalletTabs } from '../parts/wallet-tabs.tsx'

const yearMs = 365 * 86_400_000
const filters = { kind: WalletKind.options }

/** Everything that went in and out of a wallet, of the last year unless a period is chosen, newest first. */
export function HistoryPage() {
  const { t } = useTranslation('wallet')
  const list = useListParams({ filters })
  const { params, from, to, crossed, asked } = usePeriod(list)
  // From the beginning of a day, so that the question is the same for a day.
  const usual = useMemo(() => new Date(Math.floor((Date.now() - yearMs) / 86_400_000) * 86_400_000).toISOString(), [])
  const { page, perPage, kind } = list.asked
  const period = { kind, ...asked, ...(from || to ? {} : { from: usual }) }
  const answer = useCall(
    wallet.transactions,
    { query: { page, perPage, ...period } },
    { keepPrevious: true, enabled: !crossed },
  )
  const mayExport = useCan('payments.export')
  const columns = useMemo<Column<WalletEntry>[]>(
    () => [
      { key: 'what', title: t('history.what'), render: (entry) => <What entry={entry} /> },
      { key: 'units', title: t('history.units'), align: 'right', render: ({ units }) => signed(units) },
      {
        key: 'left',
        title: t('history.left'),
        align: 'right',
        render: ({ balanceAfter }) => formatNumber(balanceAfter),
      },
      { key: 'at', title: t('history.at'), width: 180, isTime: true, render: ({ at }) => formatMoment(at) },
    ],
    [t],
  )
  return (
    <Page
      title={t('title')}
      tabs={<WalletTabs />}
      actions={
        mayExport && (
          <ExportButton
            fileName="wallet.csv"
            disabled={crossed || answer.data?.meta.total === 0}
            load={() => call(wallet.exportTransactions, { query: period }, { toastAll: true })}
          />
        )
      }
    >
      <ListView
        label={t('tabs.history')}
        answer={crossed ? { ...answer, data: noRows } : answer}
        params={params}
        toolbarExtra={<PeriodFields params={params} from={from} to={to} crossed={crossed} />}
        filters={[
          {
            name: 'kind',
            label: t('history.kind'),
            allLabel: t('kinds.sms'),
            options: [{ value: 'chat', label: t('kinds.chat') }],
          },
        ]}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ kind: of }) => t(`history.kinds.${of}`)}
        card={(entry) => (
          <span className={classes.card}>
            <What entry={entry} />
            <span className={classes.number}>
              {signed(entry.units)} · {formatMoment(entry.at)}
            </span>
          </span>
        )}
        empty={{ title: t('history.empty'), text: t('history.emptyText') }}
      />
    </Page>
  )
}

const signed = (units: number) => (units > 0 ? `+${formatNumber(units)}` : formatNumber(units))

function What({ entry: { kind, alarm, reference, units, balanceAfter } }: { entry: WalletEntry }) {
  const { t } = useTranslation('wallet')
  const about = alarm?.name ?? reference
  const repaid = units > 0 ? Math.min(units, units - balanceAfter) : 0
  return (
    <span>
      {t(`history.kinds.${kind}`)}
      {about && ` · ${about}`}
      {units < 0 && balanceAfter < 0 && ` · ${t('history.overdraft')}`}
      {repaid > 0 && ` · ${t('history.repaid', { count: repaid })}`}
    </span>
  )
}
