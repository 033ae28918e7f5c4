import { parse } from 'csv-parse/sync'
import type { Hardware } from '../../core/provider/hardware.ts'
import { checkImei, isSampleImei } from '../../domain/identifiers.ts'
import { UsageError } from './usage-error.ts'

/** A line of the provider's file; without a secret one is made. */
export interface StockLine extends Hardware {
  secret: string | null
}

// 128 bits in base64, or 26 signs of base32.
const shortestSecret = 22
const columns = ['imei', 'type', 'secret', 'probes']

/** Reads the whole file or refuses it with every fault, by line. `warnings` are IMEIs with a wrong check digit. */
export function readStock(text: string): { lines: StockLine[]; warnings: string[] } {
  const rows = parseCsv(text)
  const faults: string[] = []
  const warnings: string[] = []
  const seen = new Set<string>()
  const lines = rows.map((row, index): StockLine => {
    const at = `line ${index + 2}`
    const { imei = '', type = '', secret = '', probes = '' } = row
    const check = checkImei(imei)
    if (check === 'malformed') faults.push(`${at}: "${imei}" is no IMEI: 15 digits are expected`)
    else if (check === 'luhn') warnings.push(`${at}: the check digit of ${imei} is wrong`)
    if (isSampleImei(imei)) faults.push(`${at}: ${imei} is of the range that sample devices have`)
    if (seen.has(imei)) faults.push(`${at}: ${imei} was there before`)
    seen.add(imei)
    if (!/^[\p{L}\p{N} ._/-]{1,40}$/u.test(type)) faults.push(`${at}: a type is needed, such as fridge`)
    if (secret && !/^[\x21-\x7e]{22,200}$/.test(secret))
      faults.push(`${at}: a secret has ${shortestSecret} to 200 printable signs`)
    if (probes && !/^([1-9]|1[0-6])$/.test(probes)) faults.push(`${at}: probes are 1 to 16`)
    return { imei, type, probes: Number(probes || 1), secret: secret || null }
  })
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return { lines, warnings }
}

function parseCsv(text: string): Record<string, string>[] {
  let rows: string[][]
  try {
    rows = parse(text, { bom: true, trim: true, skip_empty_lines: true })
  } catch (error) {
    throw new UsageError(`This is not CSV: ${error instanceof Error ? error.message : String(error)}`)
  }
  const [header = [], ...body] = rows
  const names = header.map((name) => name.toLowerCase())
  const unknown = names.filter((name) => !columns.includes(name))
  if (!names.includes('imei') || !names.includes('type') || unknown.length > 0)
    throw new UsageError(`The first line must name the columns imei, type and, if you like, secret and probes`)
  return body.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}
