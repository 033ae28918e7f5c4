import { billing, type Payment, type PaymentState } from '@isotherm/contract/billing.ts'
import { Anchor, Button, Group, Loader, Skeleton, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { formatMoney } from '../../lib/money.ts'
import { named } from '../../lib/named.ts'
import { formatNumber } from '../../lib/numbers.ts'
import { formatDate } from '../../lib/times.ts'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StateDot, type Tone } from '../../ui/state-dot.tsx'
import { BankDetails } from './bank-details.tsx'
import classes from './payment.module.css'
import { useClearing } from './use-clearing.ts'
import { isWaiting, usePayment } from './use-payment.ts'

const tones: Record<PaymentState, Tone> = {
  action: 'none',
  checking: 'none',
  succeeded: 'ok',
  failed: 'warning',
  cancelled: 'warning',
  review: 'warning',
  closed: 'none',
}

/** A payment that is open, or that the person comes back from: it waits, and says by itself how it ended. */
export function PaymentPanel({ id, onClose }: { id: string; onClose?: () => void }) {
  const { t } = useTranslation('wallet')
  const answer = usePayment(id)
  const { data, error } = answer
  const title = t('payment.title')
  const about = data && [named(title, t('payment.what', wordsOf(data, t))), data.transfer?.reference]
  return (
    <Panel title={title} label={about?.filter(Boolean).join(', ')}>
      {data ? (
        <Standing payment={data} onClose={onClose} />
      ) : error ? (
        <Failure error={error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton height={64} role="status" aria-label={t('common:list.loading')} />
      )}
    </Panel>
  )
}

/** The words for the thing that is paid for, and its price. */
function wordsOf({ amount, currency, bought, plan }: Payment, t: TFunction<'wallet'>) {
  const units = bought ? t(`bought.${bought.kind}`, { count: bought.units, number: formatNumber(bought.units) }) : ''
  const what = plan ? t(`planned.${plan.billing}`, { plan: plan.name }) : units
  return { what, money: formatMoney(amount, currency) }
}

function Standing({ payment, onClose }: { payment: Payment; onClose?: (() => void) | undefined }) {
  const { t } = useTranslation('wallet')
  const { state, amount, currency, plan, invoice, reason, url, transfer, cardKept } = payment
  const values = wordsOf(payment, t)
  const waits = isWaiting(payment) && !transfer
  const until = transfer ? formatDate(transfer.until) : ''
  useClearing(state === 'succeeded' && !plan, onClose)
  return (
    <>
      <Group gap="xs" role="status" aria-live="polite">
        {waits && <Loader size={16} aria-hidden />}
        {waits ? (
          t(`payment.state.${state}`)
        ) : (
          <StateDot tone={tones[state]} label={transfer ? t('payment.state.transfer') : t(`payment.state.${state}`)} />
        )}
      </Group>
      <Text mt={6}>{t('payment.what', values)}</Text>
      <Text size="sm" c="dimmed" mt={4}>
        {t(`payment.${plan ? 'ofPlan' : 'text'}.${transfer ? 'transfer' : state}`, { ...values, until })}
        {state === 'failed' && reason && ` (${reason})`}
        {invoice && (
          <>
            {' '}
            <span className={classes.whole}>{t('payment.invoice', { serial: invoice.serialNumber })}</span>
          </>
        )}
      </Text>
      {cardKept === false && (
        <Text size="sm" mt={4}>
          {t('payment.cardNotKept')}
        </Text>
      )}
      {transfer && <BankDetails transfer={transfer} amount={amount} currency={currency} />}
      <Group mt="sm" gap="md">
        {state === 'action' && url && <Anchor href={url}>{t('payment.goOn')}</Anchor>}
        {transfer && plan && (
          <Button variant="default" size="xs" onClick={() => void saveOrder(payment.id, transfer.reference)}>
            {t('bank.pdf')}
          </Button>
        )}
        {onClose && (
          <Button variant="default" size="xs" onClick={onClose}>
            {t('common:actions.close')}
          </Button>
        )}
      </Group>
    </>
  )
}

/** A failure is toasted. */
const saveOrder = (id: string, reference: string) =>
  call(billing.orderPdf, { params: { id } }, { toastAll: true }).then(
    (file) => download(file, `${reference}.pdf`),
    () => undefined,
  )
