import { type DecommissionedDevice, deviceLife, Restore } from '@isotherm/contract/device-life.ts'
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { showNewSecret } from '../../../ui/new-secret.ts'
import { digitsOf } from '../digits.ts'
import { refetchLife } from '../use-life.ts'

interface RestoreDialogProps {
  device: Pick<DecommissionedDevice, 'id' | 'name' | 'lastImei'>
  licenceNote: (licenceKey: string) => ReactNode
  onClose: () => void
}

/** Takes a device into use again: on its own hardware and licence, or on others. */
export function RestoreDialog({ device, licenceNote, onClose }: RestoreDialogProps) {
  const { t } = useTranslation('deviceLife')
  const form = useEntityForm({
    initialValues: { imei: device.lastImei ?? '', claimCode: '', licenceKey: '' },
    schema: Restore,
    toBody: ({ imei, claimCode, licenceKey }) => ({
      imei: digitsOf(imei),
      ...(claimCode.trim() ? { claimCode: claimCode.trim() } : {}),
      ...(licenceKey.trim() ? { licenceKey: licenceKey.trim() } : {}),
    }),
    save: (body) => call(deviceLife.restore, { params: { id: device.id }, body }),
    fieldOf: {
      CLAIM_REFUSED: 'claimCode',
      LICENCE_INVALID: 'licenceKey',
      LICENCE_USED: 'licenceKey',
      LICENCE_NEEDED: 'licenceKey',
    },
    onSaved: ({ newSecret }, { imei }) => {
      toastSuccess(t('restore.done'))
      if (newSecret) showNewSecret({ imei: digitsOf(imei), secret: newSecret })
      void refetchLife()
      onClose()
    },
  })
  const { getInputProps, getValues } = form.fields
  return (
    <FormDialog
      title={t('restore.dialog', { name: device.name })}
      form={form}
      submitLabel={t('restore.submit')}
      onClose={onClose}
    >
      <TextInput
        label={t('restore.imei')}
        description={t('restore.imeiHelp')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={24}
        {...getInputProps('imei')}
      />
      <TextInput
        label={t('restore.claimCode')}
        description={t('restore.claimCodeHelp')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        {...getInputProps('claimCode')}
      />
      <TextInput
        label={t('restore.licenceKey')}
        description={t('restore.licenceHelp')}
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        {...getInputProps('licenceKey')}
      />
      {licenceNote(getValues().licenceKey.trim())}
    </FormDialog>
  )
}
