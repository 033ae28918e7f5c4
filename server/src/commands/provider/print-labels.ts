import { newClaimCode } from '../../core/provider/claim-codes.ts'
import { setClaimCode } from '../../core/provider/hardware.ts'
import { listStock } from '../../core/provider/stock-list.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { type Label, writeLabels } from './label-sheet.ts'
import type { ProviderTools } from './provider-tools.ts'
import { UsageError } from './usage-error.ts'

/**
 * Makes new codes and a sheet of labels: for the hardware named, or else for all that nobody uses and that has no code. Codes are
 * kept as hashes only, so a label is never printed a second time, but made anew.
 */
export async function printLabels(tools: ProviderTools, file: string | undefined, imeis: string[]): Promise<void> {
  if (!file) throw new UsageError('Which file? provider devices labels FILE.pdf [IMEI ...]')
  const stock = await listStock(tools.pool)
  const known = new Set(stock.map(({ imei }) => imei))
  const unknown = imeis.filter((imei) => !known.has(imei))
  if (unknown.length > 0) throw new UsageError(`Not in stock: ${unknown.join(', ')}`)
  const wanted =
    imeis.length > 0
      ? [...new Set(imeis)]
      : stock.filter(({ hasCode, usedBy }) => !hasCode && usedBy.length === 0).map(({ imei }) => imei)
  const labels = wanted.map((imei) => ({ imei, code: newClaimCode() }))
  if (labels.length > 0)
    await asLogin(tools.pool, async ({ tx }) => {
      for (const { imei, code } of labels) await setClaimCode(tx, imei, code)
      // Before the codes count: codes that nobody has seen would lock the hardware up.
      await writeSheet(tools, file, labels)
    })
  if (labels.length > 0) tools.out('imei,code')
  for (const { imei, code } of labels) tools.out(`${imei},${code}`)
  tools.warn(
    labels.length > 0
      ? `${labels.length} labels in ${file}; codes are shown this once, and older labels of these are void.`
      : 'Nothing to print: all free hardware has a code. Name an IMEI to give it a new one.',
  )
}

/** A sheet of labels whose links lead to this installation. */
export async function writeSheet(
  { publicUrl, warn }: ProviderTools,
  file: string,
  labels: readonly Label[],
): Promise<void> {
  if (!publicUrl) throw new UsageError('No PUBLIC_URL, where labels lead to.')
  if (new URL(publicUrl).hostname === 'localhost')
    warn(`The labels lead to ${publicUrl}, which no phone reaches: set PUBLIC_URL before you print them.`)
  await writeLabels(file, publicUrl, labels)
}
