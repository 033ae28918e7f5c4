import { listKeys } from '../../core/provider/licence-keys.ts'
import { listCompanies, listStock } from '../../core/provider/stock-list.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'

// Names are other people's text: control characters could move a terminal's cursor or turn a line round.
const printable = (text: string) => text.replace(/\p{C}/gu, '?')

/** Rows under their heads, in columns as wide as they need to be. */
export function table(tools: ProviderTools, heads: string[], rows: string[][]): void {
  const all = [heads, ...rows.map((row) => row.map(printable))]
  const widths = heads.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)))
  for (const row of all)
    tools.out(
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

export const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? ''

export async function showDevices(tools: ProviderTools): Promise<void> {
  const items = await listStock(tools.pool)
  const rows = items.map(({ imei, type, probes, hasCode, usedBy }) => [
    imei,
    hasCode ? 'yes' : 'none',
    type,
    String(probes),
    usedBy.join(', ') || 'free',
  ])
  table(tools, ['IMEI', 'CODE', 'TYPE', 'PROBES', 'USED BY'], rows)
}

export async function showLicences(tools: ProviderTools): Promise<void> {
  const keys = await asLogin(tools.pool, ({ tx }) => listKeys(tx))
  const names = new Map((await listCompanies(tools.pool)).map(({ id, name }) => [id, name]))
  const rows = keys.map(({ hint, devices, months, issuedAt, claimedAt, companyId }) => [
    `...-${hint}`,
    String(devices),
    String(months),
    day(issuedAt),
    day(claimedAt),
    companyId === null ? 'free' : (names.get(companyId) ?? String(companyId)),
  ])
  table(tools, ['KEY', 'DEVICES', 'MONTHS', 'ISSUED', 'CLAIMED', 'COMPANY'], rows)
}

export async function showCompanies(tools: ProviderTools): Promise<void> {
  const rows = (await listCompanies(tools.pool)).map(({ id, name, country, people, devices, createdAt }) => [
    String(id),
    name,
    country ?? '',
    String(people),
    String(devices),
    day(createdAt),
  ])
  table(tools, ['ID', 'NAME', 'COUNTRY', 'PEOPLE', 'DEVICES', 'SINCE'], rows)
}
