import { NewReceiptMails, orderLinks } from '@isotherm/contract/order-links.ts'
import type { OrderReceiver } from '@isotherm/contract/orders.ts'
import { Checkbox, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { RecipientsField, useSelfChosen } from '../../../shared/issued/recipients-field.tsx'
import type { Chosen } from '../../../ui/form/choose-many.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

interface ReceiptMailDialogProps {
  orderId: string
  receiver: OrderReceiver
  onClose: () => void
}

/** Asks to whom the receipt of a hand-over is mailed: the receiver, people of the team, or both. */
export function ReceiptMailDialog({ orderId, receiver, onClose }: ReceiptMailDialogProps) {
  const { t } = useTranslation('orderLinks')
  const seesTeam = useCan('users.view')
  const self = useSelfChosen()
  const { email } = receiver.party
  const form = useEntityForm({
    initialValues: { recipients: seesTeam ? ([] as Chosen[]) : self, toReceiver: email !== null },
    schema: NewReceiptMails,
    toBody: ({ recipients, toReceiver }) => ({ recipients: recipients.map(({ id }) => id), toReceiver }),
    save: (body) => call(orderLinks.mailReceipt, { params: { id: orderId, receiverId: receiver.id }, body }),
    onSaved: (_, { recipients, toReceiver }) => {
      const names = [...(toReceiver && email ? [email] : []), ...recipients.map(({ label }) => label)]
      toastSuccess(t('receiptMail.sending', { names: names.join(', ') }))
      void refetchCalls(orderLinks.handOvers)
      onClose()
    },
  })
  const { getInputProps, getValues, setFieldValue, errors } = form.fields
  return (
    <FormDialog title={t('receiptMail.title')} form={form} submitLabel={t('receiptMail.submit')} onClose={onClose}>
      {email === null ? (
        <Text size="sm">{t('receiptMail.noMail')}</Text>
      ) : (
        <Checkbox
          label={t('receiptMail.to', { email })}
          styles={{ label: { overflowWrap: 'anywhere' } }}
          {...getInputProps('toReceiver', { type: 'checkbox' })}
        />
      )}
      <RecipientsField
        label={t('receiptMail.team')}
        description={t('receiptMail.teamHelp')}
        chosen={getValues().recipients}
        onChange={(recipients) => setFieldValue('recipients', recipients)}
        error={errors.recipients}
      />
    </FormDialog>
  )
}
