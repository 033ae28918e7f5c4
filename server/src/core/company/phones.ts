import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { readPhone } from '../../platform/phones.ts'
import { findCompany } from './company.ts'

/** Reads a phone number as it was typed, at the field `path`; throws VALIDATION where it is none. `country`: of an address beside it. */
export type PhoneReader = (typed: string, path: string, country?: string | null) => string

/** A reader of phone numbers: one without its country's code is of the address's country, or else of the company's. */
export async function phoneReader({ tx, companyId, services }: Pick<Context, 'tx' | 'companyId' | 'services'>) {
  const { country: own } = await findCompany(tx, companyId)
  const read: PhoneReader = (typed, path, country) => {
    const number =
      readPhone(typed, own, services.config.phoneStrict) ??
      (country ? readPhone(typed, country, services.config.phoneStrict) : null)
    if (number === null) throw invalidField(path, 'rule.phoneInvalid')
    return number
  }
  return read
}
