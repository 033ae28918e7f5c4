import type { FboKind, Ppecb } from '@isotherm/contract/company.ts'
import type { UseFormReturnType } from '@mantine/form'

/** The fields that are texts, in their order. */
export const names = [
  ...(['exporterName', 'exporterCode', 'ucn', 'contactPerson', 'contactEmail'] as const),
  ...(['cbr', 'phytclean'] as const),
] as const

interface Values extends Record<(typeof names)[number], string> {
  fboCodes: { key: string; code: string; kind: FboKind; name: string }[]
}
export type PpecbFields = UseFormReturnType<Values>

export function valuesOf(stored: Ppecb | null): Values {
  const texts = Object.fromEntries(names.map((name) => [name, stored?.[name] ?? ''])) as Omit<Values, 'fboCodes'>
  const codes = stored?.fboCodes ?? []
  return { ...texts, fboCodes: codes.map((each) => ({ ...each, key: each.code, name: each.name ?? '' })) }
}

/** All fields empty means none. */
export function bodyOf({ fboCodes, ...texts }: Values): Ppecb | null {
  if (fboCodes.length === 0 && names.every((name) => texts[name].trim() === '')) return null
  const orNull = (name: (typeof names)[number]) => texts[name].trim() || null
  return {
    exporterName: texts.exporterName,
    ...{ exporterCode: orNull('exporterCode'), ucn: orNull('ucn'), contactPerson: orNull('contactPerson') },
    ...{ contactEmail: orNull('contactEmail'), cbr: orNull('cbr'), phytclean: orNull('phytclean') },
    fboCodes: fboCodes.map(({ code, kind, name }) => ({ code, kind, name: name.trim() || null })),
  }
}
