import { NewPartner, type Partner, partners } from '@isotherm/contract/partners.ts'
import { Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { CountryField } from '../../../shared/dispatch/country-field.tsx'
import { PhoneField } from '../../../shared/dispatch/phone-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

/** Adds a partner (null), or changes one. */
export function PartnerDialog({ partner, onClose }: { partner: Partner | null; onClose: () => void }) {
  const { t } = useTranslation('partners')
  const form = useEntityForm({
    initialValues: {
      companyName: partner?.companyName ?? '',
      companyAddress: partner?.companyAddress ?? '',
      fullName: partner?.fullName ?? '',
      email: partner?.email ?? '',
      phone: partner?.phone ?? '',
      stateProvince: partner?.stateProvince ?? '',
      lga: partner?.lga ?? '',
      country: partner?.country ?? '',
    },
    schema: NewPartner,
    toBody: (values): NewPartner => ({
      ...values,
      stateProvince: values.stateProvince.trim() || null,
      lga: values.lga.trim() || null,
    }),
    save: (body) =>
      partner
        ? call(partners.change, { params: { id: partner.id }, body: { ...body, version: partner.version } })
        : call(partners.add, { body }),
    onSaved: () => {
      toastSuccess(t(partner ? 'edited' : 'added'))
      void refetchCalls(partners.list)
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog
      title={partner ? t('edit', { name: partner.companyName }) : t('add')}
      form={form}
      submitLabel={t(partner ? 'common:actions.save' : 'add')}
      onClose={onClose}
    >
      <TextInput label={t('fields.companyName')} data-autofocus maxLength={160} {...getInputProps('companyName')} />
      <Textarea label={t('fields.companyAddress')} autosize maxLength={300} {...getInputProps('companyAddress')} />
      <TextInput label={t('fields.fullName')} maxLength={120} {...getInputProps('fullName')} />
      <TextInput label={t('fields.email')} type="email" {...getInputProps('email')} />
      <PhoneField label={t('fields.phone')} {...getInputProps('phone')} />
      <TextInput label={t('fields.stateProvince')} maxLength={80} {...getInputProps('stateProvince')} />
      <TextInput label={t('fields.lga')} maxLength={80} {...getInputProps('lga')} />
      <CountryField label={t('fields.country')} {...getInputProps('country')} />
    </FormDialog>
  )
}
