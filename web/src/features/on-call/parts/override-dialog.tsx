import { NewOverride, onCall, type Rota } from '@isotherm/contract/on-call.ts'
import { instantOf, localTimeOf } from '@isotherm/contract/zone-times.ts'
import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { nowMs } from '../../../lib/now.ts'
import { useSession } from '../../../lib/session.ts'
import { zoneNameAt } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { useTeam } from '../../../shared/use-team.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchRotas } from '../refetch-on-call.ts'

/** Lets one person stand in for another, at first for the shift of now. */
export function OverrideDialog({ rota, onClose }: { rota: Rota; onClose: () => void }) {
  const { t } = useTranslation('onCall')
  const zone = useSession((state) => state.timezone)
  const team = useTeam()
  const [now] = rota.shifts
  const form = useEntityForm({
    initialValues: {
      userId: null as string | null,
      insteadOf: (now?.insteadOf ?? now?.person)?.id ?? null,
      from: localTimeOf(nowMs(), zone),
      to: now ? localTimeOf(now.to, zone) : '',
    },
    schema: NewOverride,
    toBody: ({ userId, insteadOf, from, to }) => ({
      ...{ userId: userId ?? '', insteadOf: insteadOf ?? '' },
      ...{ from: instantOf(from, zone), to: instantOf(to, zone) },
    }),
    save: (body) => call(onCall.addOverride, { params: { id: rota.id }, body }),
    onSaved: () => {
      toastSuccess(t('done.standIn'))
      void refetchRotas()
      onClose()
    },
  })
  const people = [...new Map(rota.people.map((person) => [person.id, person.name]))]
  return (
    <FormDialog
      title={t('standIn.dialog', { name: rota.name })}
      form={form}
      submitLabel={t('standIn.save')}
      onClose={onClose}
    >
      <Select
        label={t('standIn.person')}
        placeholder={t('form.addPerson')}
        nothingFoundMessage={t('form.nobody')}
        searchable
        data={team.people.map(({ id, fullname }) => ({ value: id, label: fullname }))}
        searchValue={team.typed}
        onSearchChange={team.setTyped}
        {...form.fields.getInputProps('userId')}
      />
      <Select
        label={t('standIn.insteadOf')}
        allowDeselect={false}
        data={people.map(([value, label]) => ({ value, label }))}
        {...form.fields.getInputProps('insteadOf')}
      />
      <DateField
        withTime
        label={t('standIn.from', { zone: zoneNameAt(form.fields.values.from, zone) })}
        {...form.fields.getInputProps('from')}
      />
      <DateField
        withTime
        label={t('standIn.to', { zone: zoneNameAt(form.fields.values.to, zone) })}
        {...form.fields.getInputProps('to')}
      />
      <Text size="sm" c="dimmed">
        {t('standIn.means')}
      </Text>
    </FormDialog>
  )
}
