import type { TopUp, WalletChange } from '@isotherm/contract/wallet.ts'
import type { z } from 'zod'
import { findAccount } from '../../core/billing/account-queries.ts'
import { needProofToCharge } from '../../core/billing/card-proof.ts'
import { cardById } from '../../core/billing/card-queries.ts'
import { providerOfCard } from '../../core/billing/pay.ts'
import { topUpsOf } from '../../core/billing/top-up-queries.ts'
import { overdraftOfAll } from '../../core/provider/unit-settings.ts'
import { setTopUp } from '../../core/wallet/top-up-queries.ts'
import { updateWallet } from '../../core/wallet/wallet-queries.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { AppError, invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { topUpPriceOf } from './prices.ts'
import { lockWallet, type WalletRow } from './queries.ts'

type NewTopUp = NonNullable<z.output<typeof WalletChange>['topUp']>

function wantedOf({ topup_below, topup_units, topup_card_id, topup_monthly_max }: WalletRow): NewTopUp | null {
  if (topup_below === null || topup_units === null || !topup_card_id || topup_monthly_max === null) return null
  return { below: topup_below, units: topup_units, cardId: topup_card_id, monthlyMax: Number(topup_monthly_max) }
}

/** The units a day that critical alarms may use beyond their wallet, of companies without a number of their own. */
export const overdraftOf = (ctx: Context): Promise<number> => withLogin(ctx.tx, () => overdraftOfAll(ctx.tx))

/** When a wallet buys units by itself, and how that goes. */
export async function topUpOfWallet(ctx: Context, row: WalletRow): Promise<TopUp | null> {
  const wanted = wantedOf(row)
  if (!wanted) return null
  const account = await findAccount(ctx)
  const card = await cardById(ctx, wanted.cardId)
  const { spent, failedAt, reason } = await topUpsOf(ctx, row.kind, account?.zone ?? 'UTC', ctx.clock.now())
  return {
    ...wanted,
    price: await topUpPriceOf(ctx, { kind: row.kind, units: wanted.units }),
    isCardUsable: card?.state === 'active',
    spentThisMonth: spent,
    failed: failedAt && { at: failedAt.toISOString(), reason },
  }
}

/**
 * Refuses a buying by itself that could never buy: PAYMENTS_OFF, BILLING_DETAILS_NEEDED, NOT_FOUND, CARD_UNUSABLE, NOT_SOLD, PROOF_NEEDED, or a 422 where the money
 * of a month is less than one purchase costs, or one purchase is less than the wallet is to have: an empty one would be charged for again and again.
 */
async function refuseVain(
  ctx: Context,
  { kind }: WalletRow,
  { below, units, cardId, monthlyMax }: NewTopUp,
): Promise<void> {
  if (!ctx.services.config.billing.isOn) throw new AppError('PAYMENTS_OFF')
  if (!(await findAccount(ctx))) throw new AppError('BILLING_DETAILS_NEEDED')
  await providerOfCard(ctx, cardId)
  const price = await topUpPriceOf(ctx, { kind, units })
  if (!price) throw new AppError('NOT_SOLD')
  if (below > units) throw invalidField('topUp.below', 'topUpBelow')
  if (price.total > monthlyMax) throw invalidField('topUp.monthlyMax', 'monthlyMax')
  await needProofToCharge(ctx, { currency: price.currency, total: monthlyMax })
}

/** Changes when the Admins are told that units run low, and when units are bought by themselves. Throws NOT_FOUND, CHANGED_MEANWHILE, or as `refuseVain`. */
export async function changeWallet(
  ctx: Context,
  id: string,
  { warnBelow, topUp, version }: z.output<typeof WalletChange>,
): Promise<WalletRow> {
  const before = orNotFound(await lockWallet(ctx, id))
  refuseOutdated({ name: translate(ctx.locale, `wallet:kinds.${before.kind}`), version: before.version }, version)
  if (topUp) await refuseVain(ctx, before, topUp)
  await updateWallet(ctx, id, warnBelow)
  if (topUp !== undefined) await setTopUp(ctx, id, topUp)
  const after = orNotFound(await lockWallet(ctx, id))
  const facts = (row: WalletRow) => ({ warnBelow: row.warn_below, ...topUpFacts(wantedOf(row)) })
  ctx.audit({
    action: 'wallet.changed',
    target: { kind: 'wallet', id, name: before.kind },
    ...changesOf(facts(before), facts(after)),
  })
  return after
}

const topUpFacts = (topUp: NewTopUp | null) => ({
  topUpBelow: topUp?.below ?? null,
  topUpUnits: topUp?.units ?? null,
  topUpMonthlyMax: topUp?.monthlyMax ?? null,
})
