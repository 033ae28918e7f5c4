import type { Locale } from '@isotherm/contract/common.ts'
import { MantineProvider } from '@mantine/core'
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { LoginPage } from '../features/auth/pages/login-page.tsx'
import { i18n, startI18n } from '../lib/i18n.ts'
import { localeNames } from '../lib/languages.ts'
import { cssVariables, theme } from '../ui/theme.ts'
import { router } from './router/router.ts'

const styleTags = /<style[^>]*>([\s\S]*?)<\/style>/g

/** The login form as HTML in every language: the build puts it into login.html, where it stands before the app has arrived. */
export async function firstForms(): Promise<{ styles: string; forms: { locale: Locale; html: string }[] }> {
  await startI18n(['common', 'auth'], 'en')
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: ['/login'] }) })
  const rendered: { locale: Locale; html: string }[] = []
  for (const locale of localeNames) {
    await i18n.changeLanguage(locale)
    const html = renderToString(
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables}>
        <RouterContextProvider router={router}>
          <LoginPage />
        </RouterContextProvider>
      </MantineProvider>,
    )
    rendered.push({ locale, html })
  }
  // All languages have the same rules.
  const styles = [...(rendered[0]?.html ?? '').matchAll(styleTags)].map(([, rules]) => rules).join('\n')
  return { styles, forms: rendered.map(({ locale, html }) => ({ locale, html: html.replace(styleTags, '') })) }
}
