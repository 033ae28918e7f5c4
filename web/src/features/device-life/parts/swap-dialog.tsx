import { DeviceSwap, deviceLife } from '@isotherm/contract/device-life.ts'
import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useRecordForm } from '../../../ui/form/use-record-form.ts'
import { digitsOf } from '../digits.ts'
import { type LifeDevice, refetchLife } from '../use-life.ts'

/** Says what a swap means, and asks for the new hardware. */
export function SwapDialog({ device, onClose }: { device: LifeDevice; onClose: () => void }) {
  const { t } = useTranslation('deviceLife')
  const form = useRecordForm({
    initialValues: { newImei: '' },
    schema: DeviceSwap,
    toBody: ({ newImei }) => ({ newImei: digitsOf(newImei) }),
    save: (body) => call(deviceLife.swap, { params: { id: device.id }, body }),
    fieldOf: { DEVICE_UNKNOWN: 'newImei', DEVICE_IN_USE: 'newImei' },
    onSaved: () => {
      toastSuccess(t('swap.done'))
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
    </FormDialog>
  )
}
