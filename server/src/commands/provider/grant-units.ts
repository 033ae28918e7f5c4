import { addUnits } from '../../core/wallet/wallet-queries.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { whole } from './typed.ts'
import { UsageError } from './usage-error.ts'

interface GrantOptions {
  company?: string | undefined
  kind?: string | undefined
  units?: string | undefined
  reference?: string | undefined
}

/** Puts units into a company's wallet, with an entry in its trail. */
export async function grantUnits(
  tools: ProviderTools,
  { company, kind, units, reference }: GrantOptions,
): Promise<void> {
  const companyId = whole('company', company, 2_147_483_647)
  const count = whole('units', units, 1_000_000)
  if (kind !== 'sms' && kind !== 'chat') throw new UsageError('--kind must be sms or chat')
  const balance = await inTenant(tools.pool, companyId, async ({ tx, client }) => {
    const { rows: found } = await client.query('select from companies where company_id = $1', [companyId])
    if (found.length === 0) throw new UsageError(`There is no company ${companyId}.`)
    const now = new Date()
    const wallet = await addUnits(client, { companyId, channel: kind }, count, reference?.slice(0, 200) ?? null, now)
    const about = {
      actor: { kind: 'system' as const, name: 'provider' },
      origin: { address: '', agent: 'provider', requestId: '' },
      at: now,
    }
    await writeAudit(tx, companyId, about, [
      {
        action: 'wallet.granted',
        target: { kind: 'wallet', id: wallet.id, name: kind },
        after: { units: count, balance: wallet.balance },
      },
    ])
    return wallet.balance
  })
  tools.out(`${kind} units of company ${companyId}: ${balance}`)
}
