import {
  type RecordDetails,
  type RecordSignature,
  records,
  SignatureMeaning,
  SignRecord,
} from '@isotherm/contract/records.ts'
import { security } from '@isotherm/contract/security.ts'
import { PasswordInput, Select, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import frames from '../../../ui/frames.module.css'
import { refetchRecords } from '../use-record-actions.ts'
import classes from './records.module.css'

interface SignDialogProps {
  record: RecordDetails
  /** The content that the signer saw. */
  contentSha256: string
  onClose: () => void
}

/** Signs with the password entered again; who has none is asked for a proof by single sign-on when they sign. */
export function SignDialog({ record, contentSha256, onClose }: SignDialogProps) {
  const { t } = useTranslation('records')
  const name = useSession((state) => state.profile?.fullname ?? '')
  const own = useCall(security.own)
  const hasPassword = own.data?.hasPassword ?? true
  const form = useEntityForm({
    initialValues: { meaning: 'reviewed' as SignatureMeaning, reason: '', password: '' },
    schema: SignRecord,
    toBody: ({ password, ...values }) => ({ ...values, ...(hasPassword && { password }), contentSha256 }),
    save: async (body): Promise<RecordSignature> => {
      try {
        return await call(records.sign, { params: { id: record.id }, body })
      } catch (error) {
        // It may have changed meanwhile: the screen then shows what it is now.
        void refetchRecords()
        throw error
      }
    },
    onSaved: () => {
      toastSuccess(t('sign.done'))
      void refetchRecords()
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog
      title={t('sign.dialog', { name: record.name })}
      form={form}
      submitLabel={t('sign.submit')}
      onClose={onClose}
    >
      <Text size="sm">{t('sign.explain', { name })}</Text>
      <Select
        label={t('sign.meaning')}
        allowDeselect={false}
        data-autofocus
        data={SignatureMeaning.options.map((value) => ({ value, label: t(`sign.meanings.${value}`) }))}
        {...getInputProps('meaning')}
      />
      <Textarea label={t('sign.reason')} autosize minRows={2} maxLength={500} {...getInputProps('reason')} />
      {hasPassword ? (
        <PasswordInput label={t('sign.password')} autoComplete="current-password" {...getInputProps('password')} />
      ) : (
        <Text size="sm">{t('sign.bySso')}</Text>
      )}
      <div className={`${frames.note} ${classes.hash}`}>{t('sign.content', { hash: contentSha256 })}</div>
    </FormDialog>
  )
}
