import { Button, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../lib/call-error.ts'

/** Says in words what could not be loaded, with a way to try again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Group role="alert" gap="md" p="md" wrap="wrap">
      <Text size="sm">{isCallError(error) ? error.message : t('errors.unexpected')}</Text>
      <Button variant="default" size="xs" leftSection={<IconRefresh size={15} />} onClick={onRetry}>
        {t('actions.retry')}
      </Button>
    </Group>
  )
}
