import { type DeviceSession, NewSession, sessions } from '@isotherm/contract/sessions.ts'
import { instantOf } from '@isotherm/contract/zone-times.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useSession } from '../../../lib/session.ts'
import { zoneNameAt } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DeviceSelect } from '../../../shared/device-select.tsx'
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
  const { getInputProps, values } = form.fields
  return (
    <FormDialog title={t('new.title')} form={form} submitLabel={t('new.submit')} onClose={onClose}>
      <DeviceSelect
        label={t('new.device')}
        description={t('new.deviceHelp')}
        nothingFoundMessage={t('new.noDevice')}
        none={<NoDevices />}
        {...getInputProps('deviceId')}
      />
      <TextInput label={t('new.name')} description={t('new.nameHelp')} maxLength={80} {...getInputProps('name')} />
      <DateField
        withTime
        label={t('new.start', { zone: zoneNameAt(values.startedAt, zone) })}
        description={t('new.startHelp')}
        {...getInputProps('startedAt')}
      />
      <DateField
        withTime
        label={t('new.end', { zone: zoneNameAt(values.endedAt, zone) })}
        description={t('new.endHelp')}
        {...getInputProps('endedAt')}
      />
    </FormDialog>
  )
}
