import { Text } from '@mantine/core'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../lib/i18n.ts'
import { useSession } from '../lib/session.ts'
import { Empty } from '../ui/empty.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { LonePage } from '../ui/lone-page.tsx'
import { Page } from '../ui/page.tsx'

const Shell = lazy(async () => {
  const [{ Shell: shell }] = await Promise.all([import('./shell/shell.tsx'), loadTexts(['shell', 'notifications'])])
  return { default: shell }
})

/** For an address without a screen, and for a screen that is not for the person; inside the shell for who is logged in. */
export function NotFoundPage() {
  const { t } = useTranslation()
  const isLoggedIn = useSession((state) => state.token !== null)
  const home = (
    <ButtonLink to="/" mt="sm">
      {t('notFound.home')}
    </ButtonLink>
  )
  if (isLoggedIn)
    return (
      <Shell>
        <Page title={t('notFound.title')}>
          <Empty title="404" text={t('notFound.text')} action={home} />
        </Page>
      </Shell>
    )
  const mark = (
    <Text fz={56} fw={650} lh={1}>
      404
    </Text>
  )
  return (
    <LonePage mark={mark} title={t('notFound.title')} text={t('notFound.text')}>
      {home}
    </LonePage>
  )
}
