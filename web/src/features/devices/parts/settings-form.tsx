import { type Device, DeviceChange, devices } from '@isotherm/contract/devices.ts'
import { Paper } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
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

export function SettingsForm({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  // As it was when the form was opened or last saved: pushes go on changing `device` under it.
  const [start, setStart] = useState(() => startOf(device))
  const form = useEntityForm({
    initialValues: start,
    schema: DeviceChange,
    // Only what was changed: a field left alone must not undo what somebody else saved meanwhile.
    toBody: (values): DeviceChange => ({
      ...(values.name === start.name ? {} : { name: values.name }),
      ...(values.tag === start.tag ? {} : { tag: values.tag.trim() || null }),
      ...(values.intervalS === start.intervalS ? {} : { intervalS: Number(values.intervalS) }),
      ...(values.visibility === start.visibility ? {} : { visibility: values.visibility }),
      ...(sameValues(values.limits, start.limits) ? {} : { limits: limitsChange(values.limits) }),
    }),
    save: async (body) => {
      if (Object.keys(body).length > 0) await call(devices.change, { params: { id: device.id }, body })
    },
    onSaved: (_, values) => {
      setStart(values)
      toastSuccess(t('form.saved'))
      void refetchCalls(devices.one, devices.list, devices.summary, devices.chart, devices.limits)
    },
  })
  return (
    <Paper className={frames.panel}>
      <EntityForm form={form} submitLabel={t('form.save')} label={t('tabs.settings')}>
        <SettingsFields fields={form.fields} />
      </EntityForm>
    </Paper>
  )
}

const sameValues = (a: SettingsValues['limits'], b: SettingsValues['limits']) => JSON.stringify(a) === JSON.stringify(b)
