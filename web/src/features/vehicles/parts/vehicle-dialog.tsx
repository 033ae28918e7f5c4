import { NewVehicle, type Vehicle, type VehicleType, vehicles, vehicleTypes } from '@isotherm/contract/vehicles.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DeviceSelect } from '../../../shared/device-select.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

/** Adds a vehicle (null), or changes one. */
export function VehicleDialog({ vehicle, onClose }: { vehicle: Vehicle | null; onClose: () => void }) {
  const { t } = useTranslation('vehicles')
  const seesDevices = useCan('devices.view')
  const tracker = vehicle?.device?.id ?? null
  const form = useEntityForm({
    initialValues: {
      name: vehicle?.name ?? '',
      plate: vehicle?.plate ?? '',
      type: vehicle?.type ?? ('truck' as VehicleType),
      deviceId: tracker,
    },
    schema: NewVehicle,
    toBody: ({ deviceId, ...values }): NewVehicle => ({
      ...values,
      ...(deviceId !== tracker && { deviceId: deviceId || null }),
    }),
    save: (body) =>
      vehicle
        ? call(vehicles.change, { params: { id: vehicle.id }, body: { ...body, version: vehicle.version } })
        : call(vehicles.add, { body }),
    fieldOf: { PLATE_TAKEN: 'plate' },
    onSaved: () => {
      toastSuccess(t(vehicle ? 'edited' : 'added'))
      void refetchCalls(vehicles.list)
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog
      title={vehicle ? t('edit', { name: vehicle.name }) : t('add')}
      form={form}
      submitLabel={t(vehicle ? 'common:actions.save' : 'add')}
      onClose={onClose}
    >
      <TextInput label={t('fields.name')} data-autofocus maxLength={80} {...getInputProps('name')} />
      <TextInput label={t('fields.plate')} maxLength={20} autoCapitalize="characters" {...getInputProps('plate')} />
      <NativeSelect
        label={t('fields.type')}
        data={vehicleTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
        {...getInputProps('type')}
      />
      {seesDevices && (
        <DeviceSelect
          label={t('fields.device')}
          description={t('deviceHelp')}
          clearable
          nothingFoundMessage={t('common:form.nothingFound')}
          initial={vehicle?.device ?? null}
          {...getInputProps('deviceId')}
        />
      )}
    </FormDialog>
  )
}
