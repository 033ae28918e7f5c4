import { text } from '@isotherm/contract/common.ts'
import { type Passkey, security } from '@isotherm/contract/security.ts'
import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { toastError, toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchSecurity } from '../use-security.ts'

const schema = z.strictObject({ name: text(60) })

interface PasskeyDialogProps {
  /** The one to be named anew; null: a new one is made. */
  passkey: Passkey | null
  onCodes: (recoveryCodes: string[]) => void
  onClose: () => void
}

/** Names a passkey, and has the browser make it where it is new. */
export function PasskeyDialog({ passkey, onCodes, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation('security')
  const form = useEntityForm({
    initialValues: { name: passkey?.name ?? '' },
    schema,
    toBody: (values) => values,
    save: async ({ name }) => {
      if (!passkey) return add(name)
      await call(security.renamePasskey, { params: { id: passkey.id }, body: { name } })
      return null
    },
    onSaved: (codes) => {
      if (codes) onCodes(codes)
      else toastSuccess(t(passkey ? 'passkeys.renamed' : 'passkeys.added'))
      void refetchSecurity()
      onClose()
    },
  })
  const add = async (name: string) => {
    const question = await call(security.startPasskey)
    const { createPasskey } = await import('../../../shared/passkeys.ts')
    const answer = await createPasskey(question).catch((error: unknown) => {
      // The person closed the browser's own dialog, or has a passkey there already.
      toastError(t('passkeys.notMade'))
      throw error
    })
    return (await call(security.addPasskey, { body: { token: question.token, answer, name } })).recoveryCodes
  }
  return (
    <FormDialog
      title={t(passkey ? 'passkeys.renameTitle' : 'passkeys.addTitle')}
      form={{ ...form, failure: null }}
      submitLabel={t(passkey ? 'common:actions.save' : 'passkeys.make')}
      onClose={onClose}
    >
      {!passkey && <Text size="sm">{t('passkeys.addText')}</Text>}
      <TextInput
        label={t('passkeys.name')}
        placeholder={t('passkeys.namePlaceholder')}
        maxLength={60}
        data-autofocus
        {...form.fields.getInputProps('name')}
      />
    </FormDialog>
  )
}
