import type { Locale } from '@isotherm/contract/common.ts'
import { namedIn } from '@isotherm/contract/named.ts'
import { textsOf, translate } from './i18n.ts'

const lists = ['shipments:ppecb', 'shipments:fields', 'auditWords:fields', 'fieldNames:names']
const namesOf = new Map<Locale, Map<string, string>>()

function names(locale: Locale): Map<string, string> {
  const known = namesOf.get(locale)
  if (known) return known
  // The audit trail's names as well, and those of the form of shipments: most are the same things.
  const made = new Map(lists.flatMap((key) => Object.entries(textsOf(locale, key))))
  namesOf.set(locale, made)
  return made
}

/** The name of a field; `originId` is what `origin` is called. */
const nameOf = (field: string, locale: Locale): string | undefined =>
  names(locale).get(field) ?? names(locale).get(field.replace(/Id$/, ''))

/**
 * A sentence about a field of an input, after the field's name as a reader knows it: "Licence key: This is needed." Of a path
 * such as `recipients.0.userId` the last name counts; one we have no word for is said as it was sent.
 */
export function aboutField(path: string, text: string, locale: Locale): string {
  const last = path.split('.').findLast((step) => !/^\d+$/.test(step)) ?? path
  const field = permissionName(path, locale) ?? nameOf(last, locale) ?? path
  return translate(locale, 'fieldNames:line', { field, text })
}

/** A part of a role's matrix, as the screen of permissions names it: `modulePermissions.users.view` is "Users: View". */
function permissionName(path: string, locale: Locale): string | undefined {
  const [, module, action] = /^modulePermissions\.(\w+)(?:\.(\w+))?$/.exec(path) ?? []
  const moduleName = module && textsOf(locale, 'users:modules')[module]
  const actionName = action && textsOf(locale, 'users:actions')[action]
  return moduleName && actionName ? namedIn(locale, moduleName, actionName) : moduleName
}
