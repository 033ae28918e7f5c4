import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../lib/call-error.ts'
import { type Confirmation, closeConfirmation, getConfirmation, subscribeConfirmation } from './confirm.ts'

/** Stands once in the shell and asks whatever `confirm()` is given. */
export function ConfirmDialog() {
  const question = useSyncExternalStore(subscribeConfirmation, getConfirmation)
  return question && <Question key={question.title} question={question} />
}

function Question({ question }: { question: Confirmation }) {
  const { t } = useTranslation()
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<string>()
  const close = () => !running && closeConfirmation()
  const go = async () => {
    setRunning(true)
    setFailure(undefined)
    try {
      await question.run()
      closeConfirmation()
    } catch (error) {
      setFailure(isCallError(error) ? error.message : t('errors.unexpected'))
      setRunning(false)
    }
  }
  return (
    <Modal opened onClose={close} title={question.title} closeButtonProps={{ 'aria-label': t('actions.close') }}>
      <Stack>
        <Text size="sm">{question.text}</Text>
        {failure && <Alert color="red">{failure}</Alert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={running} data-autofocus>
            {t('actions.cancel')}
          </Button>
          <Button color={question.destructive ? 'red.7' : undefined} loading={running} onClick={() => void go()}>
            {question.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
