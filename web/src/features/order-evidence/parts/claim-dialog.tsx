import { Carriage, carriages, claimFormats, NewClaim, orderEvidence } from '@isotherm/contract/order-evidence.ts'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { currentLocale } from '../../../lib/i18n.ts'
import { languageNames, localeNames } from '../../../lib/languages.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

/** Asks for a claim pack: its file, the language of its letter, and the law of the carriage. */
export function ClaimDialog({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const { t } = useTranslation('orderEvidence')
  const notice = useCall(orderEvidence.notice, { params: { id: orderId } })
  const form = useEntityForm({
    initialValues: { format: 'zip', locale: currentLocale() as string, carriage: notice.data?.carriage ?? 'cmr' },
    schema: NewClaim,
    toBody: ({ format, locale, carriage }) => NewClaim.parse({ format, locale, carriage: Carriage.parse(carriage) }),
    save: (body) => call(orderEvidence.claim, { params: { id: orderId }, body }),
    onSaved: () => {
      toastSuccess(t('claim.asked'))
      void refetchCalls(orderEvidence.claims)
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog title={t('claim.new')} form={form} submitLabel={t('claim.make')} onClose={onClose}>
      <NativeSelect
        label={t('claim.format')}
        data={claimFormats.map((value) => ({ value, label: t(`claim.formats.${value}`) }))}
        {...getInputProps('format')}
      />
      <NativeSelect
        label={t('claim.language')}
        data={localeNames.map((value) => ({ value, label: languageNames[value] }))}
        {...getInputProps('locale')}
      />
      <NativeSelect
        label={t('claim.carriage')}
        description={t('notice.noAdvice')}
        data={carriages.map((value) => ({ value, label: t(`claim.carriages.${value}`) }))}
        {...getInputProps('carriage')}
      />
    </FormDialog>
  )
}
