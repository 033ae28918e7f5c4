import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { lockPayment, type PaymentRow, transfersAwaited } from '../../core/billing/payment-queries.ts'
import { wasRecordedByHand } from '../../core/billing/receipt-queries.ts'
import { names } from '../../core/billing/transfer-reference.ts'
import { majorText, minorUnits } from '../../domain/money.ts'
import { delimited } from '../../platform/csv/csv-records.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { decodeText } from '../../platform/sheets/read-text.ts'
import { atCompany } from './at-company.ts'
import type { ProviderTools } from './provider-tools.ts'
import { table } from './show.ts'
import { outcome, receive } from './transfers.ts'
import { UsageError } from './usage-error.ts'

interface StatementLine {
  date: string
  amount: string
  currency: string
  text: string
  key: string
}

const columns = ['date', 'amount', 'text', 'currency']

function recordsOf(text: string): string[][] {
  const { body, delimiter } = delimited(text)
  try {
    return parse(body, { bom: true, trim: true, skip_empty_lines: true, delimiter })
  } catch (error) {
    throw new UsageError(`This is not CSV: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A comma before one or two digits is no mark of thousands. */
const pointed = (amount: string) => amount.replace(/^(-?\d{1,12}),(\d{1,2})$/, '$1.$2')

/** Reads a bank statement as spreadsheets and banks write it: columns date, amount, text and, if you like, currency; others are ignored. */
function readStatement(bytes: Buffer): StatementLine[] {
  const { text, encoding } = decodeText(bytes)
  const [header = [], ...body] = recordsOf(text)
  // Lines are known by their cells as they were read before files of the Western code page were: none is taken twice.
  const [, ...known] = encoding === 'Windows-1252' ? recordsOf(bytes.toString('utf8')) : [header, ...body]
  const at = Object.fromEntries(columns.map((name) => [name, header.findIndex((head) => head.toLowerCase() === name)]))
  if (columns.slice(0, 3).some((name) => at[name] === -1))
    throw new UsageError('The first line must name the columns date, amount, text and, if you like, currency')
  const seen = new Map<string, number>()
  return body.map((row, index) => {
    const cell = (name: string) => row[at[name] ?? -1] ?? ''
    // Two lines that are alike are two transfers; the same file again has the same lines.
    const alike = (known[index] ?? row).join('\u0000')
    const count = (seen.get(alike) ?? 0) + 1
    seen.set(alike, count)
    const key = `line:${createHash('sha256').update(`${alike}\u0000${count}`).digest('hex')}`
    return {
      date: cell('date'),
      amount: pointed(cell('amount')),
      currency: cell('currency').toUpperCase(),
      text: cell('text'),
      key,
    }
  })
}

/** A line of a statement with the transfer that it pays, or why it pays none. */
interface Match {
  line: StatementLine
  payment: PaymentRow | null
  says: string
}

function matchOf(line: StatementLine, awaited: PaymentRow[]): Match {
  const named = awaited.filter(({ reference }) => names(line.text, reference))
  const [payment] = named
  if (named.length > 1) return { line, payment: null, says: 'names several invoices: record it by hand' }
  if (payment) {
    if (line.currency && line.currency !== payment.currency)
      return { line, payment: null, says: `is not ${payment.currency}: record it by hand` }
    const sum = minorUnits(line.amount, payment.currency)
    if (sum === null || sum === 0) return { line, payment: null, says: 'has no amount that came in' }
    return { line, payment, says: '' }
  }
  const alike = awaited.filter(
    ({ currency, amount }) =>
      (!line.currency || line.currency === currency) && minorUnits(line.amount, currency) === Number(amount),
  )
  const guesses = alike.slice(0, 3).map(({ reference, company_id: company }) => `${reference} of company ${company}`)
  return {
    line,
    payment: null,
    says: guesses.length > 0 ? `names nothing; its amount is that of ${guesses.join(', ')}` : '',
  }
}

/** Shows which transfers the lines of a bank statement pay; with `apply` they are recorded, no line twice. */
export async function importTransfers(
  tools: ProviderTools,
  file: string | undefined,
  { apply }: { apply: boolean },
): Promise<void> {
  if (!file) throw new UsageError('Which file? provider payments import FILE.csv')
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`)
  })
  const awaited = await asPipeline(tools.pool, ({ tx }) => transfersAwaited(tx))
  const matches = readStatement(bytes).map((line) => matchOf(line, awaited))
  const rows: string[][] = []
  for (const { line, payment, says } of matches) {
    const about = [line.date, line.amount, payment?.reference ?? '', payment ? String(payment.company_id) : '']
    rows.push([...about, payment ? await applied(tools, line, payment, apply) : says || 'names nothing that is owed'])
  }
  table(tools, ['DATE', 'AMOUNT', 'REFERENCE', 'COMPANY', 'WHAT'], rows)
  if (!apply && matches.some(({ payment }) => payment))
    tools.warn('Nothing was recorded. Record what names an invoice with --apply.')
}

async function applied(
  tools: ProviderTools,
  line: StatementLine,
  payment: PaymentRow,
  apply: boolean,
): Promise<string> {
  const sum = minorUnits(line.amount, payment.currency) ?? 0
  if (!apply)
    return `pays ${majorText(sum, payment.currency)} of ${majorText(Number(payment.amount), payment.currency)} ${payment.currency}`
  return atCompany(tools, String(payment.company_id), async (of) => {
    const { state } = await lockPayment(of, payment.id)
    if (state !== 'action' && !(state === 'cancelled' && payment.transfer !== null)) return 'is paid or void by now'
    if (await wasRecordedByHand(of, payment.id, sum))
      return 'is as much as was recorded by hand: record it by hand, too, if it is another transfer'
    const bankReference = `${line.date} ${line.text}`.slice(0, 200)
    const received = { amount: sum, withheld: 0, certificate: null, bankReference, key: line.key }
    const missing = await receive(of, payment, received)
    return missing === null ? 'was recorded before' : outcome(missing, payment.currency)
  })
}
