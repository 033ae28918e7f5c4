import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { readPhone } from '../../platform/phones.ts'
import { findCompany } from './company.ts'

/** A phone number as it was typed, of the company's country or else of the address beside it; null where it is none. */
export const typedPhone = (
  isStrict: boolean,
  typed: string,
  own: string | null,
  country?: string | null,
): string | null => readPhone(typed, own, isStrict) ?? (country ? readPhone(typed, country, isStrict) : null)

/** Reads a phone number as it was typed, at the field `path`; throws VALIDATION where it is none. `country`: of an address beside it. */
export type PhoneReader = (typed: string, path: string, country?: string | null) => string

/** A reader of phone numbers: one without its country's code is of the company's country, or else of the address's. */
export async function phoneReader(ctx: Pick<Context, 'tx' | 'companyId' | 'services'>) {
  const { country: own } = await findCompany(ctx.tx, ctx.companyId)
  const read: PhoneReader = (typed, path, country) => {
    const number = typedPhone(ctx.services.config.phoneStrict, typed, own, country)
    if (number === null) throw invalidField(path, 'format.phone')
    return number
  }
  return read
}
