import { type Driver, drivers, NewDriver } from '@isotherm/contract/drivers.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { PhoneField } from '../../../shared/dispatch/phone-field.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchDrivers } from '../refetch-drivers.ts'

/** Adds a driver (null), or changes one. */
export function DriverDialog({ driver, onClose }: { driver: Driver | null; onClose: () => void }) {
  const { t } = useTranslation('drivers')
  const form = useEntityForm({
    initialValues: {
      name: driver?.name ?? '',
      phone: driver?.phone ?? '',
      email: driver?.email ?? '',
      address: driver?.address ?? '',
      licenceNo: driver?.licenceNo ?? '',
      licenceExpiresOn: driver?.licenceExpiresOn ?? '',
    },
    schema: NewDriver,
    toBody: ({ name, phone, ...values }): NewDriver => ({
      ...{ name, phone },
      email: values.email.trim() || null,
      address: values.address.trim() || null,
      licenceNo: values.licenceNo.trim() || null,
      licenceExpiresOn: values.licenceExpiresOn || null,
    }),
    save: (body) =>
      driver
        ? call(drivers.change, { params: { id: driver.id }, body: { ...body, version: driver.version } })
        : call(drivers.add, { body }),
    onSaved: () => {
      toastSuccess(t(driver ? 'edited' : 'added'))
      void refetchDrivers()
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog
      title={driver ? t('edit', { name: driver.name }) : t('add')}
      form={form}
      submitLabel={t(driver ? 'common:actions.save' : 'add')}
      onClose={onClose}
    >
      <TextInput label={t('fields.name')} data-autofocus maxLength={120} {...getInputProps('name')} />
      <PhoneField label={t('fields.phone')} {...getInputProps('phone')} />
      <TextInput label={t('fields.email')} type="email" {...getInputProps('email')} />
      <TextInput label={t('fields.address')} maxLength={300} {...getInputProps('address')} />
      <TextInput label={t('fields.licenceNo')} maxLength={40} {...getInputProps('licenceNo')} />
      <DateField label={t('fields.licenceExpiresOn')} {...getInputProps('licenceExpiresOn')} />
    </FormDialog>
  )
}
