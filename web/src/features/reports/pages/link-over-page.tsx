import { Stack, Text, Title } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** Where a link to a report's file leads that is over. Whoever follows one need not have a login. */
export function LinkOverPage() {
  const { t } = useTranslation('reports')
  const title = t('linkOver.title')
  useEffect(() => {
    document.title = `${title} · Isotherm`
  }, [title])
  return (
    <Stack component="main" align="center" ta="center" gap="xs" p="xl" mt="18vh">
      <IconLinkOff size={48} stroke={1.5} aria-hidden />
      <Title order={1}>{title}</Title>
      <Text c="dimmed" size="sm" maw={480}>
        {t('linkOver.text')}
      </Text>
    </Stack>
  )
}
