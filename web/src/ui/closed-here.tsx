import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Says why something cannot be done in a sandbox. */
export function ClosedHere() {
  const { t } = useTranslation('errors')
  return (
    <Text size="sm" c="dimmed">
      {t('codes.SANDBOX_CLOSED')}
    </Text>
  )
}
