import { listTaxRates, setTaxRate, type TaxRateRow } from '../../core/provider/taxes.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { table } from './show.ts'
import { basisPoints, country, day, line } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface TaxOptions {
  country?: string | undefined
  name?: string | undefined
  percent?: string | undefined
  from?: string | undefined
}

/** Sets a country's rate from a day on; `isEnd`: from that day on it does not count. */
export async function setTax(tools: ProviderTools, options: TaxOptions, isEnd = false): Promise<void> {
  const of = { country: country(options.country), name: line('name', options.name, 40) }
  const from = day('from', options.from)
  const rate = isEnd ? null : basisPoints(options.percent)
  await changing(tools, async (tx, now) => {
    if (isEnd && !(await listTaxRates(tx)).some((known) => isStanding(known, of, from)))
      throw new UsageError(`There is no tax "${of.name}" of ${of.country} on ${from}: see tax list`)
    await setTaxRate(tx, of, rate, from, now)
    const after = { name: of.name, percent: rate === null ? 'none' : percent(rate), from }
    return { act: isEnd ? 'tax.ended' : 'tax.set', target: of.country, after }
  })
  await showTaxes(tools)
}

/** Whether a rate is that of a country and a name, and counts on a day or later. */
const isStanding = (rate: TaxRateRow, of: { country: string; name: string }, day: string) =>
  rate.country === of.country && rate.name === of.name && (rate.valid_to === null || rate.valid_to > day)

const percent = (rate: number) => String(rate / 100)

export async function showTaxes(tools: ProviderTools): Promise<void> {
  const rates = await asLogin(tools.pool, ({ tx }) => listTaxRates(tx))
  const rows = rates.map((row) => [
    row.country,
    row.name,
    percent(row.basis_points),
    row.valid_from,
    row.valid_to ?? '',
  ])
  table(tools, ['COUNTRY', 'NAME', 'PERCENT', 'FROM', 'UNTIL'], rows)
}
