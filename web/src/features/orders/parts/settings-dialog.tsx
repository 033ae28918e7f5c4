import {
  DispatchSettingsChange,
  dispatchSettings,
  orderLists,
  type ShownDispatchSettings,
} from '@isotherm/contract/dispatch-settings.ts'
import { minorDigits } from '@isotherm/contract/money.ts'
import { Checkbox, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { FormOf } from '../../../ui/form/form-of.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { useReadToOpen } from '../../../ui/form/use-read-to-open.ts'
import { majorOf, minorOf } from '../typed-amounts.ts'
import { linesOf, OrderRecipientsField, recipientsOf } from './order-recipients-field.tsx'

/** How the company dispatches: its rate card, its terms, and who hears of its orders. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const data = useReadToOpen(useCall(dispatchSettings.read, undefined, { staleTimeMs: 0 }), onClose)
  return data ? (
    <FormOf thing={data} version={data.version}>
      {(held) => <SettingsForm settings={held} onClose={onClose} />}
    </FormOf>
  ) : null
}

const allLines = ({ late, outOfRange }: ShownDispatchSettings['recipients']) => ({
  late: linesOf(late),
  outOfRange: linesOf(outOfRange),
})
const allRecipients = ({ late, outOfRange }: ReturnType<typeof allLines>) => ({
  late: recipientsOf(late),
  outOfRange: recipientsOf(outOfRange),
})

const fees = ['baseFee', 'feePerKm', 'feePerKg', 'feePerStop'] as const

function SettingsForm({ settings, onClose }: { settings: ShownDispatchSettings; onClose: () => void }) {
  const { t } = useTranslation(['orders', 'triggers'])
  const { version, currencyInUse, ...kept } = settings
  const typed = (code: string) => code.trim().toUpperCase()
  const currencyOf = (code: string) => (/^[A-Z]{3}$/.test(typed(code)) ? typed(code) : (currencyInUse ?? 'USD'))
  const inMajor = (amount: number) => majorOf(amount, currencyInUse ?? 'USD')
  const form = useEntityForm({
    initialValues: {
      ...kept,
      currency: kept.currency ?? '',
      lateMail: kept.lateMail ?? '',
      reminderMinutes: kept.reminderMinutes ?? '',
      escalateMinutes: kept.escalateMinutes ?? '',
      ...{ baseFee: inMajor(kept.baseFee), feePerKm: inMajor(kept.feePerKm), feePerKg: inMajor(kept.feePerKg) },
      feePerStop: inMajor(kept.feePerStop),
      ...{ recipients: allLines(kept.recipients), escalation: allLines(kept.escalation) },
    },
    schema: DispatchSettingsChange,
    toBody: (values) => {
      const inMinor = (amount: number | string) => minorOf(amount, currencyOf(values.currency)) ?? 0
      return {
        ...values,
        currency: typed(values.currency) || null,
        lateMail: values.lateMail.trim() || null,
        reminderMinutes: values.reminderMinutes === '' ? null : Number(values.reminderMinutes),
        escalateMinutes: values.escalateMinutes === '' ? null : Number(values.escalateMinutes),
        ...{ baseFee: inMinor(values.baseFee), feePerKm: inMinor(values.feePerKm) },
        ...{ feePerKg: inMinor(values.feePerKg), feePerStop: inMinor(values.feePerStop) },
        ...{ recipients: allRecipients(values.recipients), escalation: allRecipients(values.escalation) },
        version,
      }
    },
    save: (body) => call(dispatchSettings.change, { body }),
    onSaved: () => {
      toastSuccess(t('settings.saved'))
      // Opened again, it begins from what was saved.
      void refetchCalls(dispatchSettings.read).finally(onClose)
    },
  })
  const { getInputProps, getValues, setFieldValue, errors } = form.fields
  const digits = minorDigits(currencyOf(getValues().currency))
  return (
    <FormDialog title={t('settings.title')} form={form} submitLabel={t('common:actions.save')} onClose={onClose}>
      <TextInput
        label={t('settings.currency')}
        maxLength={3}
        description={
          currencyInUse ? t('settings.currencyHelp', { currency: currencyInUse }) : t('settings.currencyNone')
        }
        {...getInputProps('currency')}
      />
      <SimpleGrid cols={2} role="group" aria-label={t('settings.rateCard')}>
        {fees.map((name) => (
          <NumberInput
            key={name}
            label={t(`settings.fee.${name}`)}
            min={0}
            decimalScale={digits}
            {...getInputProps(name)}
          />
        ))}
      </SimpleGrid>
      <Checkbox label={t('settings.preCool')} {...getInputProps('preCoolRequired', { type: 'checkbox' })} />
      <Checkbox label={t('settings.driverName')} {...getInputProps('showsDriverName', { type: 'checkbox' })} />
      <Checkbox label={t('settings.fenceSettles')} {...getInputProps('fenceSettles', { type: 'checkbox' })} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
        <NumberInput label={t('settings.ignoreMinutes')} min={0} max={240} {...getInputProps('ignoreMinutes')} />
        <NumberInput label={t('settings.freeMinutes')} min={0} max={1440} {...getInputProps('freeMinutes')} />
      </SimpleGrid>
      <NativeSelect
        label={t('settings.carriage')}
        data={(['cmr', 'own'] as const).map((value) => ({ value, label: t(`settings.terms.${value}`) }))}
        {...getInputProps('carriage')}
      />
      <NumberInput label={t('settings.noticeDays')} min={1} max={365} {...getInputProps('noticeDays')} />
      <Stack gap="sm" role="group" aria-labelledby="order-recipients">
        <div>
          <Title order={3} size="h5" id="order-recipients">
            {t('settings.tells')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('settings.tellsHelp')} {t('settings.privateHelp')}
          </Text>
        </div>
        {orderLists.map((list) => (
          <OrderRecipientsField
            key={list}
            label={t(`settings.tell.${list}`)}
            lines={getValues().recipients[list]}
            onChange={(lines) => setFieldValue(`recipients.${list}`, lines)}
            path={`recipients.${list}`}
            errors={errors}
          />
        ))}
      </Stack>
      <NumberInput
        label={t('settings.reminderMinutes')}
        description={t('settings.reminderHelp')}
        min={5}
        max={1440}
        allowDecimal={false}
        {...getInputProps('reminderMinutes')}
      />
      <Stack gap="sm" role="group" aria-labelledby="order-escalation">
        <div>
          <Title order={3} size="h5" id="order-escalation">
            {t('settings.escalates')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('settings.escalatesHelp')}
          </Text>
        </div>
        <NumberInput
          label={t('settings.escalateMinutes')}
          min={1}
          max={1440}
          allowDecimal={false}
          {...getInputProps('escalateMinutes')}
        />
        {orderLists.map((list) => (
          <OrderRecipientsField
            key={list}
            label={t(`settings.tellSecond.${list}`)}
            lines={getValues().escalation[list]}
            onChange={(lines) => setFieldValue(`escalation.${list}`, lines)}
            path={`escalation.${list}`}
            errors={errors}
          />
        ))}
      </Stack>
      <TextInput label={t('settings.lateMail')} type="email" {...getInputProps('lateMail')} />
    </FormDialog>
  )
}
