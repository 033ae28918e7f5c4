import type { TenantTx } from '../../platform/context.ts'

/** Wallets that a card topped up are topped up no more. */
export const stopTopUpsBy = ({ tx, companyId }: TenantTx, cardId: string) =>
  tx
    .updateTable('wallets')
    .set({ topup_below: null, topup_units: null, topup_card_id: null, topup_monthly_max: null })
    .where('company_id', '=', companyId)
    .where('topup_card_id', '=', cardId)
    .execute()
