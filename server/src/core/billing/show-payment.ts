import type { Payment } from '@isotherm/contract/billing.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { TenantTx } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import type { Services } from '../../platform/services.ts'
import { shownPayment } from './payment-queries.ts'
import { presentPayment } from './present-payment.ts'

/** A payment of the company, as far as it is known here. Throws NOT_FOUND. */
export const showPayment = async (of: TenantTx & { locale: Locale }, id: string): Promise<Payment> =>
  presentPayment(orNotFound(await shownPayment(of, id)), of.locale)

/** The same, after the transaction of a call. */
export const readPayment = (
  { pool }: Pick<Services, 'pool'>,
  companyId: number,
  id: string,
  locale: Locale,
): Promise<Payment> => inTenant(pool, companyId, ({ tx }) => showPayment({ tx, companyId, locale }, id))
