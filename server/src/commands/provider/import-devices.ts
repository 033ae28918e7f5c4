import { readFile } from 'node:fs/promises'
import { asLogin } from '../../platform/db/transaction.ts'
import { knownImeis, newDeviceSecret, stockHardware } from '../../platform/provider/hardware.ts'
import type { Desk } from './desk.ts'
import { readStock, type StockLine } from './read-stock.ts'
import { UsageError } from './usage-error.ts'

interface Options {
  force: boolean
  replace: boolean
}

/** Takes a file of hardware into stock, all of it or nothing, and prints the secrets that were made, as CSV. */
export async function importDevices(desk: Desk, file: string | undefined, options: Options): Promise<void> {
  if (!file) throw new UsageError('Which file? provider devices import FILE.csv')
  const { lines, warnings } = readStock(await read(file))
  for (const warning of warnings) desk.warn(warning)
  if (warnings.length > 0 && !options.force)
    throw new UsageError('Nothing was imported. Correct these, or take them as they are with --force.')
  const { stocked, known } = await stock(desk, lines, options)
  for (const imei of known) desk.warn(`${imei} is in stock already and stays as it is (--replace would change it)`)
  const made = stocked.filter((line) => line.made)
  if (made.length > 0) {
    desk.warn('Secrets are shown this once:')
    desk.out('imei,type,secret,probes')
    for (const { imei, type, secret, probes } of made) desk.out(`${imei},${type},${secret},${probes}`)
  }
  desk.warn(`${stocked.length} imported, ${known.length} left as they were`)
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function stock({ pool }: Desk, lines: StockLine[], { replace }: Options) {
  return asLogin(pool, async ({ tx }) => {
    const before = await knownImeis(
      tx,
      lines.map((line) => line.imei),
    )
    const taken = replace ? lines : lines.filter((line) => !before.has(line.imei))
    const stocked = taken.map((line) => ({
      ...line,
      secret: line.secret ?? newDeviceSecret(),
      made: line.secret === null,
    }))
    for (const { secret, ...hardware } of stocked) await stockHardware(tx, hardware, secret)
    return { stocked, known: replace ? [] : [...before] }
  })
}
