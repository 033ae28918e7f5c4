import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../lib/call-error.ts'
import { proofWanted } from '../lib/proof.ts'
import { dismissErrors } from '../lib/toast.ts'
import { type Confirmation, closeConfirmation, getConfirmation } from './confirm.ts'
import { WithUnbroken } from './unbroken.tsx'
import { useHeldToasts } from './use-held-toasts.ts'

/** Asks one question; loaded when there is one (confirmations.tsx). */
export function ConfirmDialog({ question }: { question: Confirmation }) {
  const { t } = useTranslation()
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<string>()
  useHeldToasts(running)
  const close = () => !running && closeConfirmation()
  const go = async () => {
    setRunning(true)
    setFailure(undefined)
    // Those of an earlier try are over.
    dismissErrors()
    try {
      await question.run()
      // The session may have ended meanwhile, and the next person been asked something else.
      if (getConfirmation() === question) closeConfirmation()
    } catch (error) {
      // The person was asked to prove who they are, and would not: they know.
      const isKnown = isCallError(error) && proofWanted(error.code) !== null
      if (!isKnown) setFailure(isCallError(error) ? error.message : t('errors.unexpected'))
      setRunning(false)
    }
  }
  return (
    <Modal
      opened
      onClose={close}
      title={<WithUnbroken text={question.title} />}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack>
        <Text size="sm">{question.text}</Text>
        {question.warning}
        {failure && <Alert color="red">{failure}</Alert>}
        <Group gap="sm">
          <Button color={question.destructive ? 'red.7' : undefined} loading={running} onClick={() => void go()}>
            {question.action}
          </Button>
          <Button variant="default" onClick={close} disabled={running} data-autofocus>
            {t('actions.cancel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
