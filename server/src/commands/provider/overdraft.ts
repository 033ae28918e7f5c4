import { overdraftOfAll, setOverdraftOfAll } from '../../core/provider/unit-settings.ts'
import { setOverdraft as setOverdraftOf } from '../../core/wallet/wallet-queries.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { asLogin, inTenant } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { whole } from './typed.ts'
import { UsageError } from './usage-error.ts'

const maxUnits = 10_000

interface OverdraftOptions {
  company?: string | undefined
  units?: string | undefined
}

/** Shows or sets how many units a day critical alarms may use beyond what a wallet has: of all companies, or of one. */
export async function setOverdraft(tools: ProviderTools, { company, units }: OverdraftOptions): Promise<void> {
  if (company !== undefined) return ofCompany(tools, whole('company', company, 2_147_483_647), units)
  if (units !== undefined) {
    const count = whole('units', units, maxUnits, 0)
    await changing(tools, async (tx) => {
      const before = await overdraftOfAll(tx)
      await setOverdraftOfAll(tx, count)
      return { act: 'units.overdraft', target: 'all', before: { units: before }, after: { units: count } }
    })
  }
  const now = await asLogin(tools.pool, ({ tx }) => overdraftOfAll(tx))
  tools.out(`Critical alarms may overdraw each wallet by ${now} units a day.`)
}

async function ofCompany(tools: ProviderTools, companyId: number, units: string | undefined): Promise<void> {
  const count = whole('units', units, maxUnits, 0)
  await inTenant(tools.pool, companyId, async ({ tx, client }) => {
    const { rowCount } = await setOverdraftOf(client, companyId, count)
    if (!rowCount) throw new UsageError(`There is no company ${companyId}.`)
    const about = {
      actor: { kind: 'system' as const, name: 'provider' },
      origin: { address: '', agent: 'provider', requestId: '' },
      at: new Date(),
    }
    const target = { kind: 'company', id: String(companyId), name: String(companyId) }
    await writeAudit(tx, companyId, about, [{ action: 'wallet.overdraftSet', target, after: { units: count } }])
  })
  tools.out(`Critical alarms of company ${companyId} may overdraw each wallet by ${count} units a day.`)
}
