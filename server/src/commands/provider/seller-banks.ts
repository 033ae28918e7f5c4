import { deleteSellerBank, listSellerBanks, putSellerBank, sellerBankOf } from '../../core/provider/seller-banks.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { table } from './show.ts'
import { currency, line } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface BankOptions {
  currency?: string | undefined
  holder?: string | undefined
  bank?: string | undefined
  account?: string | undefined
  bic?: string | undefined
  branch?: string | undefined
}

/** An IBAN has two check digits: the letters are numbers from 10 on, and the whole is 1 modulo 97. */
function isIban(text: string): boolean {
  const digits = [...`${text.slice(4)}${text.slice(0, 4)}`].map((sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

function accountFrom(text: string | undefined): string {
  const account = line('account', text, 40)
  const signs = account.replace(/\s/g, '').toUpperCase()
  if (/^[A-Z]{2}\d{2}[0-9A-Z]{8,30}$/.test(signs) && !isIban(signs))
    throw new UsageError('--account is an IBAN with a mistake in it')
  return account
}

function bicFrom(text: string): string {
  const bic = text.trim().toUpperCase()
  if (!/^[A-Z]{6}[0-9A-Z]{2}([0-9A-Z]{3})?$/.test(bic)) throw new UsageError('--bic must be a BIC, such as FBNINGLA')
  return bic
}

/** Sets where transfers of a currency go; `isEnd`: none are taken in it any more. Invoices keep what they say. */
export async function setBank(tools: ProviderTools, options: BankOptions, isEnd = false): Promise<void> {
  const of = currency(options.currency)
  await changing(tools, async (tx, now) => {
    const before = (await sellerBankOf(tx, of)) ?? null
    if (isEnd) {
      await deleteSellerBank(tx, of)
      return { act: 'seller.bankEnded', target: of, before: before && { ...before } }
    }
    const after = {
      currency: of,
      holder: line('holder', options.holder),
      bank: line('bank', options.bank),
      account: accountFrom(options.account),
      bic: options.bic ? bicFrom(options.bic) : null,
      branch: options.branch ? line('branch', options.branch, 40) : null,
    }
    await putSellerBank(tx, after, now)
    return { act: 'seller.bankSet', target: of, before: before && { ...before }, after }
  })
  await showBanks(tools)
}

export async function showBanks(tools: ProviderTools): Promise<void> {
  const banks = await asLogin(tools.pool, ({ tx }) => listSellerBanks(tx))
  const rows = banks.map((bank) => [
    bank.currency,
    bank.holder,
    bank.bank,
    bank.account,
    bank.bic ?? '',
    bank.branch ?? '',
  ])
  table(tools, ['CURRENCY', 'HOLDER', 'BANK', 'ACCOUNT', 'BIC', 'BRANCH'], rows)
}
