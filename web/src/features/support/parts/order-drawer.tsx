import { maxQuantity, type StoreItem, support } from '@isotherm/contract/support.ts'
import { NumberInput, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatMoney } from '../../../lib/money.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { DescriptionField } from '../../../ui/words-left.tsx'

/** Asks the provider for so many of a thing. Nothing is charged. */
export function OrderDrawer({ item: { code, name, price }, onClose }: { item: StoreItem; onClose: () => void }) {
  const { t } = useTranslation('support')
  const form = useEntityForm({
    initialValues: { quantity: 1 as number | string, description: '' },
    schema: support.askToBuy.body,
    toBody: ({ quantity, description }) => ({ code, quantity: Number(quantity), description }),
    save: (body) => call(support.askToBuy, { body }),
    onSaved: () => {
      toastSuccess(t('store.sent'))
      void refetchCalls(support.requests)
      onClose()
    },
  })
  const { getInputProps, values } = form.fields
  const count = Number(values.quantity)
  return (
    <FormDrawer title={t('store.askFor', { name })} form={form} submitLabel={t('ask.submit')} onClose={onClose}>
      <NumberInput
        label={t('store.quantity')}
        min={1}
        max={maxQuantity}
        allowDecimal={false}
        {...getInputProps('quantity')}
      />
      {price && count > 0 && (
        <Text size="sm">{t('store.total', { money: formatMoney(price.total * count, price.currency) })}</Text>
      )}
      <DescriptionField label={t('store.note')} {...getInputProps('description')} value={values.description} />
    </FormDrawer>
  )
}
