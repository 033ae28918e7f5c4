import { Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import facts from '../../../ui/facts.module.css'
import { SettingsPage } from '../../../ui/settings-page.tsx'

const figures = ['period', 'service', 'delay', 'ownership', 'mediation'] as const
const points = ['scope', 'period', 'claims', 'service', 'remedies', 'exclusions', 'ownership', 'law'] as const

/** The manufacturer's warranty: its figures first, then the whole text. */
export function WarrantyPage() {
  const { t } = useTranslation('warranty')
  return (
    <SettingsPage>
      <Stack gap="md">
        <Title order={2}>{t('title')}</Title>
        <Text>{t('intro')}</Text>
        <dl className={facts.facts}>
          {figures.map((name) => (
            <div key={name}>
              <dt>{t(`figures.${name}`)}</dt>
              <dd>{t(`figures.${name}Value`)}</dd>
            </div>
          ))}
        </dl>
        {points.map((name) => (
          <section key={name}>
            <Title order={3}>{t(`points.${name}.title`)}</Title>
            <Text size="sm">{t(`points.${name}.text`)}</Text>
          </section>
        ))}
      </Stack>
    </SettingsPage>
  )
}
