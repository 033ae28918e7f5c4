import { devices } from '@isotherm/contract/devices.ts'
import { type DeviceSession, NewSession, sessions } from '@isotherm/contract/sessions.ts'
import { instantOf } from '@isotherm/contract/zone-times.ts'
import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { zoneName } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { NoDevices } from '../../../ui/no-devices.tsx'
import { refetchSessions } from '../use-session-actions.ts'

/** Makes a session by hand: of the past, or from now on. */
export function SessionDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sessions')
  const zone = useSession((state) => state.timezone)
  const form = useEntityForm({
    initialValues: { deviceId: '', name: '', startedAt: '', endedAt: '' },
    schema: NewSession,
    toBody: ({ deviceId, name, startedAt, endedAt }) => ({
      deviceId,
      ...(name.trim() ? { name } : {}),
      ...(startedAt ? { startedAt: instantOf(startedAt, zone) } : {}),
      ...(endedAt ? { endedAt: instantOf(endedAt, zone) } : {}),
    }),
    save: (body): Promise<DeviceSession> => call(sessions.create, { body }),
    onSaved: () => {
      toastSuccess(t('new.done'))
      void refetchSessions()
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog title={t('new.title')} form={form} submitLabel={t('new.submit')} onClose={onClose}>
      <DeviceField {...getInputProps('deviceId')} />
      <TextInput label={t('new.name')} description={t('new.nameHelp')} maxLength={80} {...getInputProps('name')} />
      <DateField
        withTime
        label={t('new.start', { zone: zoneName(zone) })}
        description={t('new.startHelp')}
        {...getInputProps('startedAt')}
      />
      <DateField
        withTime
        label={t('new.end', { zone: zoneName(zone) })}
        description={t('new.endHelp')}
        {...getInputProps('endedAt')}
      />
    </FormDialog>
  )
}

/** Finds a device by what is typed: a fleet has thousands. */
function DeviceField(props: { value?: string; onChange?: (value: string | null) => void; error?: React.ReactNode }) {
  const { t } = useTranslation('sessions')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 250)
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null)
  const query = { search: (search === chosen?.label ? '' : search) || undefined, perPage: 50 }
  const answer = useCall(devices.list, { query }, { keepPrevious: true })
  const found = (answer.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const data = chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found
  if (!query.search && answer.data?.meta.total === 0) return <NoDevices />
  return (
    <Select
      {...props}
      value={props.value || null}
      label={t('new.device')}
      description={t('new.deviceHelp')}
      withAsterisk
      nothingFoundMessage={t('new.noDevice')}
      searchable
      // The server has searched already, also by tag and IMEI.
      filter={({ options }) => options}
      data={data}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(value) => {
        setChosen(data.find((option) => option.value === value) ?? null)
        props.onChange?.(value)
      }}
    />
  )
}
