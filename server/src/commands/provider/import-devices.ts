import { readFile } from 'node:fs/promises'
import { newClaimCode } from '../../core/provider/claim-codes.ts'
import { lockHardware, newDeviceSecret, setClaimCode, stockHardware } from '../../core/provider/hardware.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { writeSheet } from './print-labels.ts'
import type { ProviderTools } from './provider-tools.ts'
import { readStock, type StockLine } from './read-stock.ts'
import { UsageError } from './usage-error.ts'

interface Options {
  force: boolean
  replace: boolean
  /** Where the new codes go as labels. */
  labels?: string | undefined
}

/** Takes a file of hardware into stock, all of it or nothing, and prints the secrets and codes that were made, as CSV. */
export async function importDevices(tools: ProviderTools, file: string | undefined, options: Options): Promise<void> {
  if (!file) throw new UsageError('Which file? provider devices import FILE.csv')
  const { lines, warnings } = readStock(await read(file))
  for (const warning of warnings) tools.warn(warning)
  if (warnings.length > 0 && !options.force)
    throw new UsageError('Nothing was imported. Correct these, or take them as they are with --force.')
  const { stocked, known } = await stock(tools, lines, options)
  for (const imei of known) tools.warn(`${imei} is in stock already and stays as it is (--replace would change it)`)
  const made = stocked.filter((line) => line.isMade || line.code)
  if (made.length > 0) {
    tools.warn('Secrets that were made, and codes, are shown this once:')
    tools.out('imei,type,secret,probes,code')
    for (const { imei, type, secret, probes, isMade, code } of made)
      tools.out([imei, type, isMade ? secret : '', probes, code ?? ''].join(','))
  }
  tools.warn(`${stocked.length} imported, ${known.length} left as they were`)
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function stock(tools: ProviderTools, lines: StockLine[], { replace, labels }: Options) {
  return asLogin(tools.pool, async ({ tx }) => {
    const before = await lockHardware(
      tx,
      lines.map((line) => line.imei),
    )
    const taken = replace ? lines : lines.filter((line) => !before.has(line.imei))
    const stocked = taken.map((line) => ({
      ...line,
      secret: line.secret ?? newDeviceSecret(),
      isMade: line.secret === null,
      // A label that is printed already stays good.
      code: before.get(line.imei)?.claimHash ? null : newClaimCode(),
    }))
    for (const { imei, secret, code, ...hardware } of stocked) {
      await stockHardware(tx, { imei, ...hardware }, secret)
      if (code) await setClaimCode(tx, imei, code)
    }
    const coded = stocked.flatMap(({ imei, code }) => (code ? [{ imei, code }] : []))
    // Before the codes count: codes that nobody has seen would lock the hardware up.
    if (labels && coded.length > 0) await writeSheet(tools, labels, coded)
    return { stocked, known: replace ? [] : [...before.keys()] }
  })
}
