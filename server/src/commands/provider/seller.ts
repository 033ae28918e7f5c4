import { findSeller, putSeller, type SellerDetails } from '../../core/provider/seller.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { country, email, line } from './typed.ts'

export interface SellerOptions {
  name?: string | undefined
  address?: string | undefined
  country?: string | undefined
  'tax-number'?: string | undefined
  email?: string | undefined
}

/** Sets the operator as invoices name them. Options that are left out stay as they are; an empty one takes a number or an address away. */
export async function setSeller(tools: ProviderTools, options: SellerOptions): Promise<void> {
  await changing(tools, async (tx, now) => {
    const known = await findSeller(tx)
    const before: SellerDetails | null = known ? detailsOf(known) : null
    const optional = (name: 'tax-number' | 'email', text: string | undefined, kept: string | null | undefined) =>
      text === undefined ? (kept ?? null) : text.trim() ? line(name, text) : null
    const mail = optional('email', options.email, before?.email)
    const after: SellerDetails = {
      name: line('name', options.name ?? before?.name),
      address: line('address', options.address ?? before?.address, 400),
      country: country(options.country ?? before?.country),
      tax_number: optional('tax-number', options['tax-number'], before?.tax_number),
      email: mail && email(mail),
    }
    await putSeller(tx, after, now)
    return { act: 'seller.set', target: after.name, before, after }
  })
  await showSeller(tools)
}

const detailsOf = ({ name, address, country: of, tax_number, email: mail }: SellerDetails): SellerDetails => ({
  ...{ name, address, country: of, tax_number, email: mail },
})

export async function showSeller(tools: ProviderTools): Promise<void> {
  const seller = await asLogin(tools.pool, ({ tx }) => findSeller(tx))
  if (!seller)
    return tools.out('No seller is set: seller set --name TEXT --address TEXT --country NG [--tax-number TEXT]')
  const { name, address, country: of, tax_number: number, email: mail } = seller
  for (const text of [name, address, of, number && `Tax number ${number}`, mail]) if (text) tools.out(text)
}
