import { wallet } from '@isotherm/contract/wallet.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { AnchorLink } from '../../../ui/links.tsx'
import type { RecipientValue } from '../alarm-values.ts'
import classes from './form.module.css'

/** Warns where a chosen channel has no units left, and none are bought by themselves; to who may see the wallet. */
export function NoUnits({ lines }: { lines: readonly RecipientValue[] }) {
  const { t } = useTranslation('alarms')
  const chosen = new Set(lines.flatMap(({ channels }) => channels))
  const enabled = useCan('payments.view') && (chosen.has('sms') || chosen.has('chat'))
  const balances = useCall(wallet.balances, {}, { enabled }).data ?? []
  const empty = enabled
    ? balances.filter(({ kind, remaining, topUp }) => chosen.has(kind) && remaining <= 0 && !topUp)
    : []
  return empty.map(({ kind }) => (
    <Text key={kind} size="sm" role="status" className={classes.caution}>
      {t(`form.noUnits.${kind}`)} <AnchorLink to="/wallet/overview">{t('form.toWallet')}</AnchorLink>
    </Text>
  ))
}
