import type { Locale } from '@isotherm/contract/common.ts'
import { NativeSelect, Paper, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLocale, setLanguage } from '../../../lib/i18n.ts'
import { languageNames, localeNames } from '../../../lib/languages.ts'
import { Mark } from '../../../ui/mark.tsx'
import classes from './guest-layout.module.css'

interface GuestLayoutProps {
  title: string
  lead?: string
  children: ReactNode
  /** Links below the card. */
  footer?: ReactNode
}

/** The frame of every screen before the login: one card, the product's name, the language. */
export function GuestLayout({ title, lead, children, footer }: GuestLayoutProps) {
  const { t } = useTranslation()
  useEffect(() => {
    document.title = `${title} · Isotherm`
  }, [title])
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <span className={classes.brand}>
          <Mark /> Isotherm
        </span>
        <NativeSelect
          size="sm"
          aria-label={t('language')}
          value={currentLocale()}
          onChange={(event) => void setLanguage(event.currentTarget.value as Locale)}
          data={localeNames.map((locale) => ({ value: locale, label: languageNames[locale] }))}
        />
      </header>
      <main className={classes.main}>
        <Paper className={classes.card}>
          <Title order={1} fz="1.375rem">
            {title}
          </Title>
          {lead && <p className={classes.lead}>{lead}</p>}
          <div className={classes.body}>{children}</div>
        </Paper>
        {footer && <p className={classes.footer}>{footer}</p>}
      </main>
    </div>
  )
}
