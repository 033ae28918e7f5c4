import { Locale } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import type { TenantTx } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { announce, type News, writeLines } from '../alerts/notification-lines.ts'
import { findCompany } from '../company/company.ts'
import { type BillingNotice, billingTexts } from './billing-texts.ts'
import { adminsOf, invoiceAddressOf } from './payer-queries.ts'
import type { Settling } from './settling.ts'

const Wanted = z.object({
  companyId: z.number().int(),
  to: z.string(),
  locale: Locale,
  zone: z.string(),
  /** Tells this mail from all others to the same address. */
  key: z.string(),
  notice: z.custom<BillingNotice>(),
})

const SEVERE: BillingNotice['what'][] = [
  ...([
    'failed',
    'topUpFailed',
    'payer',
    'lastWarning',
    'expired',
    'cardEnds',
    'disputeOpen',
    'disputeLost',
    'retentionShrinks',
  ] as const),
]

/**
 * Tells the Admins, in the app and by mail, and the address for invoices, by mail. `key` says what this is about: who calls this does so in
 * the transaction that makes it so, and hence once. `viewers` are others who are told in the app.
 */
export async function tellPayers(
  of: Settling,
  key: string,
  notice: BillingNotice,
  viewers: readonly { id: string }[] = [],
): Promise<void> {
  const admins = await adminsOf(of)
  const address = await invoiceAddressOf(of)
  const company = await findCompany(of.tx, of.companyId)
  const known = new Set(admins.map(({ email }) => email.toLowerCase()))
  const toInvoices =
    address && !known.has(address.email.toLowerCase())
      ? [{ email: address.email, locale: company.locale, timezone: address.zone }]
      : []
  if (admins.length + toInvoices.length === 0)
    of.services.log.error(
      { companyId: of.companyId, what: notice.what },
      'nobody of a company is there to be told of money',
    )
  await withLogin(of.tx, async () => {
    for (const { email, locale, timezone } of [...admins, ...toInvoices])
      await of.services.enqueue(of.client, billingMail, {
        ...{ companyId: of.companyId, to: email, locale: Locale.parse(locale), zone: timezone },
        ...{ key: `${key}:${email}`, notice },
      })
  })
  const news: News[] = await writeLines(
    of.client,
    [...admins, ...viewers].map(({ id }) => ({
      ...{ company_id: of.companyId, user_id: id, kind: 'billing', params: notice, at: of.now },
      severity: SEVERE.includes(notice.what) ? ('warning' as const) : ('info' as const),
      ...{ device_id: null, alarm_id: null, trigger_id: null },
    })),
  )
  of.afterCommit(() => announce(of.services.bus, news))
}

async function isPayer(of: TenantTx, address: string): Promise<boolean> {
  const [admins, invoices] = [await adminsOf(of), await invoiceAddressOf(of)]
  return [...admins.map(({ email }) => email), invoices?.email].some(
    (known) => known?.toLowerCase() === address.toLowerCase(),
  )
}

/** One mail to one address, if it still is one that is told of money. */
export const billingMail: Job<z.infer<typeof Wanted>> = {
  name: 'billing-mail',
  payload: Wanted,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, config }, { companyId, to, locale, zone, key, notice }) {
    const { company, isHere } = await inTenant(pool, companyId, async ({ tx }) => ({
      company: await findCompany(tx, companyId),
      isHere: await isPayer({ tx, companyId }, to),
    }))
    // Somebody may have left since it was asked for.
    if (!isHere) return
    const { subject, line, details, action } = billingTexts(locale, zone, notice)
    const mail = mailOfParts(to, subject, [
      translate(locale, 'renewals:greeting'),
      { lead: line },
      ...details,
      { name: action.name, url: `${config.publicUrl}${action.path}` },
      translate(locale, 'renewals:note', { company: company.name }),
    ])
    await mailer.send({ ...mail, key: `billing:${companyId}:${key}` })
  },
}
