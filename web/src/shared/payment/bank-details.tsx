import type { Transfer } from '@isotherm/contract/billing.ts'
import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../lib/money.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import classes from './payment.module.css'

interface BankDetailsProps {
  transfer: Transfer
  amount: number
  currency: string
}

/** Where a transfer goes and what it names, each to be copied. */
export function BankDetails({ transfer, amount, currency }: BankDetailsProps) {
  const { t } = useTranslation('wallet')
  const { holder, bank, account, bic, branch, reference } = transfer
  const facts = [
    [t('bank.reference'), reference],
    [t('bank.amount'), formatMoney(amount, currency)],
    [t('bank.holder'), holder],
    [t('bank.bank'), bank],
    [t('bank.account'), account],
    [t('bank.bic'), bic],
    [t('bank.branch'), branch],
  ] as const
  return (
    <dl className={classes.bank}>
      {facts.map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                {value}
                <CopyButton value={value}>
                  {({ copied, copy }) => (
                    <ActionIcon
                      variant="subtle"
                      onClick={copy}
                      aria-label={copied ? t('bank.copied') : t('bank.copy', { what: name })}
                    >
                      {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                    </ActionIcon>
                  )}
                </CopyButton>
              </dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
