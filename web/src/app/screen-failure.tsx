import { Button, Stack, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ScreenLoadError } from './router/screen.tsx'

/** Instead of a screen that could not be loaded (a chunk load error, also after 120 s) or that broke. */
export function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const loading = error instanceof ScreenLoadError
  const retry = () => {
    // A browser remembers that a module could not be fetched until the page is loaded anew.
    if (loading) return window.location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <Stack role="alert" align="center" ta="center" gap="xs" p="xl" mt="10vh">
      <Title order={1}>{t(loading ? 'screen.chunkLoadError' : 'screen.broken')}</Title>
      <Text c="dimmed" size="sm" maw={460}>
        {t(loading ? 'screen.chunkLoadErrorText' : 'screen.brokenText')}
      </Text>
      <Button mt="sm" onClick={retry}>
        {t('actions.retry')}
      </Button>
    </Stack>
  )
}
