import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={onStay} title={t('form.leaveTitle')} closeButtonProps={{ 'aria-label': t('actions.close') }}>
      <Stack>
        <Text size="sm">{t('form.leaveText')}</Text>
        <Group gap="sm">
          <Button color="red.7" onClick={onLeave}>
            {t('form.leave')}
          </Button>
          <Button variant="default" onClick={onStay} data-autofocus>
            {t('form.stay')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
