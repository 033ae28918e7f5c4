import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LonePage } from '../ui/lone-page.tsx'

export function NotFoundPage() {
  const { t } = useTranslation()
  const mark = (
    <Text fz={56} fw={650} lh={1}>
      404
    </Text>
  )
  return (
    <LonePage mark={mark} title={t('notFound.title')} text={t('notFound.text')}>
      <Button component={Link} to="/" mt="sm">
        {t('notFound.home')}
      </Button>
    </LonePage>
  )
}
