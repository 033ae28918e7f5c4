import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../ui/links.tsx'
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
      <ButtonLink to="/" mt="sm">
        {t('notFound.home')}
      </ButtonLink>
    </LonePage>
  )
}
