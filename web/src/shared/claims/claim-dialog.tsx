import { Carriage, carriages, claimFormats, NewClaim } from '@isotherm/contract/order-evidence.ts'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../lib/can.ts'
import { currentLocale } from '../../lib/i18n.ts'
import { languageNames, localeNames } from '../../lib/languages.ts'
import { toastSuccess } from '../../lib/toast.ts'
import type { Chosen } from '../../ui/form/choose-many.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import { RecipientsField } from '../issued/recipients-field.tsx'

interface ClaimDialogProps {
  /** The law that is chosen at first. */
  carriage: Carriage
  /** Asks the server for the claim pack. */
  ask: (claim: NewClaim) => Promise<{ id: string }>
  onAsked: (id: string) => void
  onClose: () => void
}

/** Asks for a claim pack: its file, the language of its letter, the law of the carriage, and who gets it by mail. */
export function ClaimDialog({ carriage: usual, ask, onAsked, onClose }: ClaimDialogProps) {
  const { t } = useTranslation('orderEvidence')
  const seesTeam = useCan('users.view')
  const form = useEntityForm({
    initialValues: {
      ...{ format: 'zip', locale: currentLocale() as string, carriage: usual as string },
      recipients: [] as Chosen[],
    },
    schema: NewClaim,
    toBody: ({ format, locale, carriage, recipients }) =>
      NewClaim.parse({
        ...{ format, locale, carriage: Carriage.parse(carriage) },
        recipients: recipients.map(({ id }) => id),
      }),
    save: ask,
    onSaved: ({ id }) => {
      toastSuccess(t('claim.asked'))
      onAsked(id)
      onClose()
    },
  })
  const { getInputProps, getValues, setFieldValue, errors } = form.fields
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
      {seesTeam && (
        <RecipientsField
          label={t('claim.mail')}
          description={t('claim.mailHelp')}
          chosen={getValues().recipients}
          onChange={(recipients) => setFieldValue('recipients', recipients)}
          error={errors.recipients}
        />
      )}
    </FormDialog>
  )
}
