import { NewRota, onCall, onCallLimits, type Rota } from '@isotherm/contract/on-call.ts'
import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { type InputWrapperProps, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { nowMs } from '../../../lib/now.ts'
import { useSession } from '../../../lib/session.ts'
import { dayName } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { TimeField } from '../../../ui/time-field.tsx'
import { refetchRotas } from '../refetch-on-call.ts'
import { bodyOf, valuesOf } from '../rota-values.ts'
import { OrderField } from './order-field.tsx'

const weekdays = [1, 2, 3, 4, 5, 6, 7]

/** Makes a rota, or changes one. */
export function RotaForm({ rota, onClose }: { rota?: Rota; onClose: () => void }) {
  const { t } = useTranslation('onCall')
  const zone = useSession((state) => state.timezone)
  const form = useEntityForm({
    initialValues: valuesOf(rota, localDayOf(nowMs(), zone)),
    schema: NewRota,
    toBody: bodyOf,
    save: (body) =>
      rota
        ? call(onCall.changeRota, { params: { id: rota.id }, body: { ...body, version: rota.version } })
        : call(onCall.addRota, { body }),
    onSaved: () => {
      toastSuccess(t(rota ? 'done.changed' : 'done.added'))
      void refetchRotas()
      onClose()
    },
  })
  const { fields } = form
  const { labelProps } = fields.getInputProps('people') as Pick<InputWrapperProps, 'labelProps'>
  return (
    <FormDrawer
      title={rota ? t('form.edit', { name: rota.name }) : t('add')}
      form={form}
      submitLabel={t(rota ? 'form.save' : 'form.create')}
      onClose={onClose}
    >
      <TextInput
        label={t('form.name')}
        placeholder={t('form.nameExample')}
        maxLength={80}
        data-autofocus
        {...fields.getInputProps('name')}
      />
      <OrderField
        people={fields.getValues().people}
        onChange={(people) => fields.setFieldValue('people', people)}
        most={onCallLimits.people}
        errors={fields.errors}
        labelProps={labelProps}
      />
      <Select
        label={t('form.weekday')}
        allowDeselect={false}
        data={weekdays.map((day) => ({ value: String(day), label: dayName(day, 'long') }))}
        {...fields.getInputProps('weekday')}
      />
      <TimeField label={t('form.time')} {...fields.getInputProps('time')} />
      <DateField
        label={t('form.startsOn')}
        description={t('form.startsOnHelp')}
        {...fields.getInputProps('startsOn')}
      />
    </FormDrawer>
  )
}
