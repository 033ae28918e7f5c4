import { Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { countries } from '../../lib/country-and-zone-choices.ts'

/** A country by its name in the reader's language. */
export function CountryField(props: Omit<SelectProps, 'data'>) {
  const { t, i18n } = useTranslation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names depend on the language
  const choices = useMemo(() => countries(), [i18n.language])
  return <Select data={choices} searchable nothingFoundMessage={t('form.nothingFound')} {...props} />
}
