import { type Device, DeviceChange, devices } from '@isotherm/contract/devices.ts'
import { Paper } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { differing, saveChange } from '../../../lib/save-change.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { useFollowed } from '../../../ui/form/use-followed.ts'
import frames from '../../../ui/frames.module.css'
import { limitsChange, valuesOf } from '../limit-values.ts'
import { requestedInterval } from '../requested-settings.ts'
import { SettingsFields, type SettingsValues } from './settings-fields.tsx'

const startOf = (device: Device): SettingsValues => ({
  name: device.name,
  tag: device.tag ?? '',
  intervalS: String(requestedInterval(device)),
  visibility: device.visibility,
  limits: valuesOf(device.limits),
})

const bodyOf = ({ name, tag, intervalS, visibility, limits }: SettingsValues) => ({
  name,
  tag: tag.trim() || null,
  intervalS: Number(intervalS),
  visibility,
  limits: limitsChange(limits),
})

export function SettingsForm({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  // As the form shows it: pushes go on changing `device` under it.
  const [seen, setSeen] = useState(device)
  const form = useEntityForm({
    initialValues: startOf(seen),
    schema: DeviceChange,
    // Only what was changed: a field left alone must not undo what somebody else saved meanwhile.
    toBody: (values): DeviceChange => differing(bodyOf(startOf(seen)), bodyOf(values)),
    save: async (change) => {
      if (Object.keys(change).length === 0) return seen
      const params = { id: device.id }
      return saveChange({
        ...{ seen, change, bodyOf: (now: Device): DeviceChange => bodyOf(startOf(now)) },
        load: () => call(devices.one, { params }),
        send: (body, how) => call(devices.change, { params, body }, how),
        onRefused: (now) => follow(now, seen),
      })
    },
    onSaved: (saved) => {
      follow(saved)
      toastSuccess(t('form.saved'))
      void refetchCalls(devices.one, devices.list, devices.summary, devices.chart, devices.limits)
    },
  })
  const follow = (now: Device, former?: Device) => {
    setSeen(now)
    form.startFrom(startOf(now), former && startOf(former))
  }
  useFollowed({ thing: device, seen, isUnsaved: form.isUnsaved, follow })
  return (
    <Paper className={frames.panel}>
      <EntityForm form={form} submitLabel={t('form.save')} label={t('tabs.settings')}>
        <SettingsFields fields={form.fields} />
      </EntityForm>
    </Paper>
  )
}
