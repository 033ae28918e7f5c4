import type { Locale } from '@isotherm/contract/common.ts'
import { useTranslation } from 'react-i18next'
import { currentLocale, setLanguage } from '../../lib/i18n.ts'
import { languageNames, localeNames } from '../../lib/languages.ts'
import classes from './shared.module.css'

/** Begins with the language of the browser. */
export function LanguageSwitch() {
  const { t } = useTranslation('shared')
  return (
    <select
      className={classes.language}
      aria-label={t('language')}
      value={currentLocale()}
      onChange={(event) => void setLanguage(event.currentTarget.value as Locale)}
    >
      {localeNames.map((locale) => (
        <option key={locale} value={locale}>
          {languageNames[locale]}
        </option>
      ))}
    </select>
  )
}
