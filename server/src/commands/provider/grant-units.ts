import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { UsageError } from './usage-error.ts'
import { whole } from './whole.ts'

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
    const { rows } = await client.query<{ id: string; balance: number }>(
      `insert into wallets (company_id, kind, balance) values ($1, $2, $3)
       on conflict (company_id, kind) do update set balance = wallets.balance + $3, low_told_at = null, empty_told_at = null
       returning id, balance`,
      [companyId, kind, count],
    )
    const [wallet] = rows
    if (!wallet) throw new Error('no wallet')
    await client.query(
      `insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, reference, at)
       values ($1, $2, 'granted', $3, $4, $5, $6)`,
      [companyId, wallet.id, count, wallet.balance, reference?.slice(0, 200) ?? null, now],
    )
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
