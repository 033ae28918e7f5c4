import { domainByName } from '../../core/sso/domain-queries.ts'
import { proveDomain } from '../../core/sso/prove-domain.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { ProviderTools } from './provider-tools.ts'
import { line, whole } from './typed.ts'
import { UsageError } from './usage-error.ts'

interface DomainOptions {
  company?: string | undefined
  domain?: string | undefined
}

/** Says that the operator knows whose a mail domain is, where no DNS record can: it is looked for no more. */
export async function verifyDomain({ pool, now = () => new Date(), out }: ProviderTools, options: DomainOptions) {
  const companyId = whole('company', options.company, 2_147_483_647)
  const domain = line('domain', options.domain).toLowerCase()
  await inTenant(pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    const row = await domainByName(of, domain)
    if (!row) throw new UsageError(`Company ${companyId} has not named ${domain}: its Admins do, under single sign-on.`)
    await proveDomain(of, row, 'provider', now()).catch((error: unknown) => {
      throw error instanceof AppError ? new UsageError(`Another company has proved ${domain}.`) : error
    })
    const about = {
      actor: { kind: 'system' as const, name: 'provider' },
      origin: { address: '', agent: 'provider', requestId: '' },
      at: now(),
    }
    const target = { kind: 'ssoDomain', id: row.id, name: domain }
    await writeAudit(tx, companyId, about, [{ action: 'sso.domainProved', target }])
  })
  out(`${domain} is proved to be of company ${companyId}.`)
}
