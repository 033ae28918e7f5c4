import type { Locale } from '@isotherm/contract/common.ts'
import type { ReportContents } from '@isotherm/contract/device-reports.ts'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../../lib/i18n.ts'
import { languageNames } from '../../lib/languages.ts'

interface ContentsNoteProps {
  contents: readonly ReportContents[]
  locale?: Locale
}

/** The contents of a file in words, and its language where that is not the screen's. */
export function ContentsNote({ contents, locale }: ContentsNoteProps) {
  const { t } = useTranslation('reports')
  const words = contents.map((each) => t(`contents.${each}`)).join(', ')
  return !locale || locale === currentLocale() ? words : `${words} · ${languageNames[locale]}`
}
