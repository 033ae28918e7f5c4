import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getSession } from '../../lib/session.ts'

/** Leaving with something unsaved asks first; being logged out does not. */
export function LeaveGuard({ isUnsaved }: { isUnsaved: () => boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname && isUnsaved() && getSession().token !== null,
    enableBeforeUnload: () => isUnsaved(),
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Modal
      opened
      onClose={blocker.reset}
      title={t('form.leaveTitle')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack>
        <Text size="sm">{t('form.leaveText')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={blocker.reset} data-autofocus>
            {t('form.stay')}
          </Button>
          <Button color="red.7" onClick={blocker.proceed}>
            {t('form.leave')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
