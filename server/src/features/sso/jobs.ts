import { z } from 'zod'
import {
  type ConnectionRow,
  connectionsToAsk,
  lockConnection,
  updateConnection,
} from '../../core/sso/connection-queries.ts'
import { type DomainRow, domainById, domainsToCheck } from '../../core/sso/domain-queries.ts'
import { missRecord, proveDomain, recordOf } from '../../core/sso/prove-domain.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { txtRecords } from '../../platform/net/txt-records.ts'
import { describeIssuer } from '../../platform/oidc/describe-issuer.ts'
import type { Job, Services } from '../../platform/services.ts'
import { tellAdmins } from './domain-mail.ts'
import { targetOfDomain } from './present.ts'

const everyMs = 20 * 3_600_000
const maxPerRun = 200

/** Every hour: looks again, once a day, for the records that prove domains, and asks issuers again what they are. */
export const checkSso: Job<Record<string, never>> = {
  ...{ name: 'check-sso', payload: z.strictObject({}), retryLimit: 0, cron: '35 * * * *' },
  async run(services) {
    const before = new Date(services.clock.now().getTime() - everyMs)
    const due = await asPipeline(services.pool, async ({ tx }) => ({
      domains: await domainsToCheck(tx, before, maxPerRun),
      connections: await connectionsToAsk(tx, before, maxPerRun),
    }))
    const failed = (companyId: number) => (err: unknown) =>
      services.log.warn({ err, companyId }, 'single sign-on could not be checked')
    for (const row of due.domains) await checkDomain(services, row).catch(failed(row.company_id))
    for (const row of due.connections) await askAgain(services, row).catch(failed(row.company_id))
  },
}

async function checkDomain(services: Services, { company_id: companyId, id, domain }: DomainRow): Promise<void> {
  const records = await txtRecords(services, domain)
  if (!records) return
  const now = services.clock.now()
  await inTenant(services.pool, companyId, async (transaction) => {
    const { tx } = transaction
    const of = { tx, companyId }
    const row = await domainById(of, id)
    if (row?.proved_by !== 'dns') return
    if (records.includes(recordOf(row))) return proveDomain(of, row, 'dns', now)
    const isOver = await missRecord(of, row, now)
    if (row.missing_since && !isOver) return
    const about = { actor: { kind: 'system' as const, name: 'sso' }, origin: job, at: now }
    const what = isOver ? 'domainLost' : 'domainMissing'
    await writeAudit(tx, companyId, about, [{ action: `sso.${what}`, target: targetOfDomain(row) }])
    await tellAdmins(services, transaction, row, what, row.missing_since ?? now)
  })
}

const job = { address: '', agent: 'job', requestId: '' }

/** An issuer that is away for a day is known as it was. */
async function askAgain(services: Services, { company_id: companyId, issuer }: ConnectionRow): Promise<void> {
  const described = await describeIssuer(issuer, services.config.webhookAllowPrivate)
  const now = services.clock.now()
  await inTenant(services.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    if ((await lockConnection(of))?.issuer !== issuer) return
    const facts = 'facts' in described && described.facts.issuer === issuer ? described.facts : null
    await updateConnection(of, { asked_at: now, ...(facts ? { facts: JSON.stringify(facts) } : {}) })
  })
}
