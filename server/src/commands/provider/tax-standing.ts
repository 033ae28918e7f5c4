import { putTaxStanding } from '../../core/billing/account-queries.ts'
import { deskOf } from '../../core/billing/credit-notes.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { atCompany } from './at-company.ts'
import type { ProviderTools } from './provider-tools.ts'
import { line } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface StandingOptions {
  company?: string | undefined
  'tax-number'?: string | undefined
  reason?: string | undefined
}

/** Says that the operator has looked a company's tax number up: another member state of the EU is then charged in reverse. */
export async function verifyTaxNumber(tools: ProviderTools, options: StandingOptions): Promise<void> {
  await atCompany(tools, options.company, async (of) => {
    const number = line('tax-number', options['tax-number'], 60)
    if (number !== of.account.tax_number)
      throw new UsageError(`Its tax number is ${of.account.tax_number ?? 'not given'}.`)
    await putTaxStanding(of, { verified_tax_number: number })
    await writeAudit(of.tx, of.companyId, deskOf(of), [
      {
        action: 'billing.taxNumberVerified',
        target: { kind: 'company', id: String(of.companyId), name: of.account.name },
        after: { taxNumber: number, by: of.by },
      },
    ])
  })
  tools.out('Verified. It counts until the company gives another number.')
}

/** Sells to a company without tax from now on, for a reason that its invoices name; without a reason it pays tax again. */
export async function exemptFromTax(tools: ProviderTools, options: StandingOptions): Promise<void> {
  const reason = options.reason === undefined ? null : line('reason', options.reason)
  await atCompany(tools, options.company, async (of) => {
    await putTaxStanding(of, { tax_exempt_reason: reason })
    await writeAudit(of.tx, of.companyId, deskOf(of), [
      {
        action: 'billing.taxExempted',
        target: { kind: 'company', id: String(of.companyId), name: of.account.name },
        before: { reason: of.account.tax_exempt_reason },
        after: { reason, by: of.by },
      },
    ])
  })
  tools.out(reason ? 'It pays no tax from now on.' : 'It pays tax again.')
}
