import { Button, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

export function NotFoundPage() {
  const { t } = useTranslation()
  const title = t('notFound.title')
  useEffect(() => {
    document.title = `${title} · Isotherm`
  }, [title])
  return (
    <Stack component="main" align="center" ta="center" gap="xs" p="xl" mt="18vh">
      <Text fz={56} fw={650} lh={1}>
        404
      </Text>
      <Title order={1}>{title}</Title>
      <Text c="dimmed" size="sm">
        {t('notFound.text')}
      </Text>
      <Button component={Link} to="/" mt="sm">
        {t('notFound.home')}
      </Button>
    </Stack>
  )
}
