import { Carriage, carriages, claimFormats, NewClaim } from '@isotherm/contract/order-evidence.ts'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../../lib/i18n.ts'
import { languageNames, localeNames } from '../../lib/languages.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'

interface ClaimDialogProps {
  /** The law that is chosen at first. */
  carriage: Carriage
  /** Asks the server for the claim pack. */
  ask: (claim: NewClaim) => Promise<unknown>
  onAsked: () => void
  onClose: () => void
}

/** Asks for a claim pack: its file, the language of its letter, and the law of the carriage. */
export function ClaimDialog({ carriage: usual, ask, onAsked, onClose }: ClaimDialogProps) {
  const { t } = useTranslation('orderEvidence')
  const form = useEntityForm({
    initialValues: { format: 'zip', locale: currentLocale() as string, carriage: usual as string },
    schema: NewClaim,
    toBody: ({ format, locale, carriage }) => NewClaim.parse({ format, locale, carriage: Carriage.parse(carriage) }),
    save: ask,
    onSaved: () => {
      toastSuccess(t('claim.asked'))
      onAsked()
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
