import { billing } from '@isotherm/contract/billing.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { type Wallet, wallet } from '@isotherm/contract/wallet.ts'
import { NumberInput, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Failure } from '../../../ui/failure.tsx'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import frames from '../../../ui/frames.module.css'
import { Page } from '../../../ui/page.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { TopUpForm } from '../parts/top-up-form.tsx'
import { WalletTabs } from '../parts/wallet-tabs.tsx'
import { saveWallet } from '../save-wallet.ts'

/** When the Admins are told that units run low, and when units are bought by themselves, for each kind. */
export function WalletSettingsPage() {
  const { t } = useTranslation('wallet')
  const answer = useCall(wallet.balances)
  const account = useCall(billing.account)
  return (
    <Page title={t('title')} tabs={<WalletTabs />} width="text">
      <div className={frames.stack}>
        {answer.data?.map((one) => (
          <Warning key={one.id} of={one} />
        ))}
        {account.data &&
          answer.data?.map((one) => <TopUpForm key={one.id} of={one} currency={account.data.currency} />)}
        {!answer.data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!answer.data && !answer.error && <Skeleton height={200} role="status" aria-label={t('common:list.loading')} />}
      </div>
    </Page>
  )
}

function Warning({ of }: { of: Wallet }) {
  const { t } = useTranslation('wallet')
  // As the form shows it.
  const [seen, setSeen] = useState(of)
  const { kind, warnBelow } = seen
  const readOnly = !useCan('payments.addOrEdit')
  const showNow = (now: Wallet) => {
    setSeen(now)
    form.startFrom({ warnBelow: now.warnBelow })
  }
  const form = useEntityForm({
    initialValues: { warnBelow: warnBelow as string | number },
    schema: wallet.change.body,
    toBody: (values) => ({ warnBelow: values.warnBelow === '' ? Number.NaN : Number(values.warnBelow) }),
    save: (body) => saveWallet(seen, body, showNow),
    onSaved: (saved) => {
      showNow(saved)
      toastSuccess(t('settings.saved'), limits.walletMessageMs)
      void refetchCalls(wallet.balances)
    },
  })
  return (
    <Panel title={t(`kinds.${kind}`)}>
      <EntityForm
        form={form}
        submitLabel={t('common:actions.save')}
        disabled={readOnly}
        label={t('settings.title', { kind: t(`kinds.${kind}`) })}
      >
        <NumberInput
          label={t('settings.warnBelow')}
          description={t('settings.warnHelp')}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          readOnly={readOnly}
          {...form.fields.getInputProps('warnBelow')}
        />
      </EntityForm>
    </Panel>
  )
}
