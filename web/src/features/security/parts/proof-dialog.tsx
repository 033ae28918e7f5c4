import { Proof, security } from '@isotherm/contract/security.ts'
import { Modal, PasswordInput, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { settleProof } from '../../../lib/proof.ts'
import { AskedForm } from '../../../ui/form/asked-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

// The key would close a dialog below this one, too.
const own = { 'data-mantine-stop-propagation': 'true' }

/** Asks the person to prove that it is them, above whatever they were doing. */
export function ProofDialog() {
  const { t } = useTranslation(['security', 'common'])
  const form = useEntityForm({
    initialValues: { password: '' },
    schema: Proof,
    toBody: (values) => values,
    save: (body) => call(security.prove, { body }),
    onSaved: () => settleProof(true),
  })
  const close = () => !form.saving && settleProof(false)
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && close()
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={false}
      onKeyDown={onKeyDown}
      title={t('proof.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close'), ...own }}
    >
      <AskedForm
        title={t('proof.title')}
        form={{ ...form, isUnsaved: () => false }}
        submitLabel={t('proof.submit')}
        onClose={close}
      >
        <Text size="sm">{t('proof.text')}</Text>
        <PasswordInput
          label={t('proof.password')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('proof.showPassword') }}
          data-autofocus
          {...own}
          {...form.fields.getInputProps('password')}
        />
      </AskedForm>
    </Modal>
  )
}
