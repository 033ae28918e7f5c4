import type { BankDetails } from '@isotherm/contract/billing.ts'

/** The invoice, or the order of a period, that a transfer pays. */
export interface TransferNumber {
  companyId: number
  year: string
  number: number
}

/** How an invoice is paid by transfer, as it says itself. */
export interface TransferDetails extends BankDetails {
  reference: string
  /** Until then it is owed. */
  until: string
}

/** As many as a prime number, without I, O and Z, which look like digits. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXY'

const signsIn = (text: string) => text.toUpperCase().replace(/[^0-9A-Z]/g, '')

/** A letter that one wrong digit, or two that changed places, makes wrong. */
function letterOf(text: string): string {
  const sum = [...signsIn(text)].reduce((all, sign, index) => all + Number.parseInt(sign, 36) * (index + 2), 0)
  return LETTERS.charAt(sum % LETTERS.length)
}

/** Short enough for the purpose line of every bank: IS-2F-26-0007-K. */
export const transferReference = (number: TransferNumber): string => referenceOf(number, '')

/** The same for a period, which has no invoice yet: IS-2F-26-P0007-K. */
export const periodReference = (number: TransferNumber): string => referenceOf(number, 'P')

function referenceOf({ companyId, year, number }: TransferNumber, kind: string): string {
  const text = `IS-${companyId.toString(36).toUpperCase()}-${year.slice(-2)}-${kind}${String(number).padStart(4, '0')}`
  return `${text}-${letterOf(text)}`
}

/** Whether a line of a bank statement names a reference: banks drop dashes and spaces, and change the case. */
export const names = (text: string, reference: string): boolean => signsIn(text).includes(signsIn(reference))
