import { groupRecords } from '@isotherm/contract/group-records.ts'
import { places } from '@isotherm/contract/places.ts'
import { NewGroupRecord, NewRecord, records, type TrackRecord } from '@isotherm/contract/records.ts'
import { instantOf } from '@isotherm/contract/zone-times.ts'
import { Select, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { zoneNameAt } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { BudgetFields } from '../../../shared/budget/budget-fields.tsx'
import { budgetOf, noBudget } from '../../../shared/budget/budget-values.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchRecords } from '../use-record-actions.ts'
import { DevicesField } from './devices-field.tsx'

interface RecordDrawerProps {
  /** Its devices are the record's; without it they are chosen. */
  group?: { id: string; name: string }
  onClose: () => void
  onMade: (record: TrackRecord) => void
}

const initialValues = {
  name: '',
  lot: '',
  deviceIds: [] as string[],
  startAt: '',
  endAt: '',
  destinationId: '',
  note: '',
  budget: noBudget,
}
type Values = typeof initialValues

/** Makes a record: from now on, from a later time, or of the past. */
export function RecordDrawer({ group, onClose, onMade }: RecordDrawerProps) {
  const { t } = useTranslation('records')
  const zone = useSession((state) => state.timezone)
  const commonBody = ({ name, lot, startAt, endAt, destinationId, note, budget }: Values) => {
    const wanted = budgetOf(budget)
    return {
      name,
      ...(lot.trim() && { lot }),
      ...(startAt && { startAt: instantOf(startAt, zone) }),
      ...(endAt && { endAt: instantOf(endAt, zone) }),
      ...(destinationId && { destinationId }),
      ...(note.trim() && { note }),
      ...(wanted && { budget: wanted }),
    }
  }
  const form = useEntityForm({
    initialValues,
    schema: group ? NewGroupRecord : NewRecord,
    toBody: (values: Values) => ({ ...commonBody(values), ...(!group && { deviceIds: values.deviceIds }) }),
    save: (body, values): Promise<TrackRecord> =>
      group
        ? call(groupRecords.add, { params: { id: group.id }, body: commonBody(values) })
        : call(records.add, { body: { ...body, deviceIds: values.deviceIds } }),
    onSaved: (record) => {
      toastSuccess(t('new.done'))
      void refetchRecords()
      onMade(record)
      onClose()
    },
  })
  const { getInputProps, values, errors, setFieldValue } = form.fields
  return (
    <FormDrawer title={t('new.title')} form={form} submitLabel={t('new.submit')} onClose={onClose}>
      <TextInput label={t('new.name')} description={t('new.nameHelp')} maxLength={80} {...getInputProps('name')} />
      {!group && (
        <DevicesField
          value={values.deviceIds}
          onChange={(ids) => setFieldValue('deviceIds', ids)}
          error={errors.deviceIds}
        />
      )}
      <TextInput label={t('new.lot')} description={t('new.lotHelp')} maxLength={60} {...getInputProps('lot')} />
      <DateField
        withTime
        label={t('new.start', { zone: zoneNameAt(values.startAt, zone) })}
        description={t('new.startHelp')}
        {...getInputProps('startAt')}
      />
      <DateField
        withTime
        label={t('new.end', { zone: zoneNameAt(values.endAt, zone) })}
        description={t('new.endHelp')}
        {...getInputProps('endAt')}
      />
      <DestinationField
        value={values.destinationId}
        onChange={(id) => setFieldValue('destinationId', id)}
        error={errors.destinationId}
      />
      <BudgetFields values={values.budget} onChange={(budget) => setFieldValue('budget', budget)} errors={errors} />
      <Textarea label={t('new.note')} autosize minRows={2} maxLength={2000} {...getInputProps('note')} />
    </FormDrawer>
  )
}

interface DestinationFieldProps {
  value: string
  onChange: (id: string) => void
  error?: React.ReactNode
}

/** A geofence to end at; nothing where the company has drawn none. */
function DestinationField({ value, onChange, error }: DestinationFieldProps) {
  const { t } = useTranslation('records')
  const answer = useCall(places.geofences, { query: { perPage: 200 } })
  const data = (answer.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  if (data.length === 0) return null
  return (
    <Select
      label={t('new.destination')}
      description={t('new.destinationHelp')}
      searchable
      clearable
      data={data}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      error={error}
      data-path="destinationId"
    />
  )
}
