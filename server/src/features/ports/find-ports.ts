import { type PortQuery, portsFound } from '@isotherm/contract/ports.ts'
import type { z } from 'zod'
import { type PortRow, searchPorts } from '../../core/ports/port-queries.ts'
import type { Context } from '../../platform/context.ts'
import { countryCodes } from '../../platform/gazetteer/country-names.ts'
import { foldName } from '../../platform/gazetteer/fold-name.ts'

// Shorter beginnings of names are those of too many countries.
const shortestCountry = 3
const spacedCode = /^[a-z]{2} [a-z0-9]{3}$/

/** Countries whose name, in the reader's language or in English, begins with a text. */
const countriesNamed = (text: string, locale: string): string[] =>
  text.length < shortestCountry
    ? []
    : [...countryCodes(locale)].flatMap(([name, code]) => (name.startsWith(text) ? [code] : []))

/** Open ports of a type and country, and those that a text finds; the best first. */
export function findPorts(ctx: Context, query: z.output<typeof PortQuery>): Promise<PortRow[]> {
  const text = foldName(query.search ?? '')
  // As papers print it: ZA CPT.
  const code = spacedCode.test(text) ? text.replace(' ', '') : text
  return searchPorts(ctx.tx, {
    ...{ kind: query.type, country: query.country, text, code },
    countries: countriesNamed(text, ctx.locale),
    most: portsFound,
  })
}
