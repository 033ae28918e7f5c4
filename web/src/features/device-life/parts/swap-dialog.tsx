import { DeviceSwap, deviceLife } from '@isotherm/contract/device-life.ts'
import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { showNewSecret } from '../../../ui/new-secret.ts'
import { digitsOf } from '../digits.ts'
import { type LifeDevice, refetchLife } from '../use-life.ts'

/** Says what a swap means, and asks for the new hardware. */
export function SwapDialog({ device, onClose }: { device: LifeDevice; onClose: () => void }) {
  const { t } = useTranslation('deviceLife')
  const form = useEntityForm({
    initialValues: { newImei: '', claimCode: '' },
    schema: DeviceSwap,
    toBody: ({ newImei, claimCode }) => ({
      newImei: digitsOf(newImei),
      ...(claimCode.trim() ? { claimCode: claimCode.trim() } : {}),
    }),
    save: (body) => call(deviceLife.swap, { params: { id: device.id }, body }),
    fieldOf: { CLAIM_REFUSED: 'claimCode' },
    onSaved: ({ newSecret }, { newImei }) => {
      toastSuccess(t('swap.done'))
      if (newSecret) showNewSecret({ imei: digitsOf(newImei), secret: newSecret })
      void refetchLife()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('swap.title', { name: device.name })}
      form={form}
      submitLabel={t('swap.submit')}
      onClose={onClose}
    >
      <Text size="sm">{t('swap.text')}</Text>
      <TextInput
        label={t('swap.newImei')}
        description={t('swap.newImeiHelp')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={24}
        data-autofocus
        {...form.fields.getInputProps('newImei')}
      />
      <TextInput
        label={t('swap.claimCode')}
        description={t('swap.claimCodeHelp')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        {...form.fields.getInputProps('claimCode')}
      />
    </FormDialog>
  )
}
