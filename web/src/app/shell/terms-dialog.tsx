import { auth } from '@isotherm/contract/auth.ts'
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { isCallError } from '../../lib/call-error.ts'
import { refreshProfile } from '../../lib/profile.ts'
import { setSession } from '../../lib/session.ts'
import { Terms } from '../../ui/terms.tsx'
import { leave } from './leave.ts'

/** At the first login: who does not accept is logged out. */
export function TermsDialog() {
  const { t } = useTranslation('terms')
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string>()
  const accept = async () => {
    setSaving(true)
    setFailure(undefined)
    try {
      await call(auth.acceptTerms, { body: { termsAndConditions: true } })
      setSession({ showTerms: false })
      await refreshProfile()
    } catch (error) {
      setFailure(isCallError(error) ? error.message : t('common:errors.unexpected'))
      setSaving(false)
    }
  }
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={t('title')}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Terms />
        <Text size="sm" c="dimmed">
          {t('declineMeans')}
        </Text>
        {failure && <Alert color="red">{failure}</Alert>}
        <Group gap="sm">
          <Button onClick={() => void accept()} loading={saving} data-autofocus>
            {t('accept')}
          </Button>
          <Button variant="default" onClick={() => void leave()} disabled={saving}>
            {t('decline')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
