import { type Driver, drivers } from '@isotherm/contract/drivers.ts'
import { type Vehicle, vehicles } from '@isotherm/contract/vehicles.ts'
import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'
import { refetchDrivers } from '../refetch-drivers.ts'

/** Assigns a vehicle to a driver, or another one in place of the one that the driver has. */
export function AssignDialog({ driver, onClose }: { driver: Driver; onClose: () => void }) {
  const { t } = useTranslation('drivers')
  const isChange = driver.vehicle !== null
  const form = useEntityForm({
    initialValues: { vehicleId: driver.vehicle?.id ?? '' },
    schema: drivers.assignVehicle.body,
    toBody: ({ vehicleId }) => ({ vehicleId, change: isChange }),
    save: (body) => call(drivers.assignVehicle, { params: { id: driver.id }, body }),
    fieldOf: { VEHICLE_BUSY: 'vehicleId', VEHICLE_UNAVAILABLE: 'vehicleId', DRIVER_BUSY: 'vehicleId' },
    onSaved: () => {
      toastSuccess(t(isChange ? 'assign.changed' : 'assign.done'))
      void refetchDrivers()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t(isChange ? 'assign.changeTitle' : 'assign.title', { name: driver.name })}
      form={form}
      submitLabel={t(isChange ? 'assign.change' : 'assign.action')}
      onClose={onClose}
    >
      <VehicleSelect driver={driver} {...form.fields.getInputProps('vehicleId')} />
    </FormDialog>
  )
}

interface VehicleSelectProps {
  driver: Driver
  value?: string
  onChange: (id: string | null) => void
}

/** A vehicle by name, plate or driver; those that cannot be had say why. */
function VehicleSelect({ driver, value, ...input }: VehicleSelectProps) {
  const { t } = useTranslation('drivers')
  const { search, field } = useTypedSearch()
  const chosen = driver.vehicle && nameOf(driver.vehicle)
  const query = { search: search === chosen ? undefined : search.split(' · ')[0] || undefined, perPage: 50 }
  const answer = useCall(vehicles.list, { query }, { keepPrevious: true })
  const found = (answer.data?.data ?? []).map((vehicle) => choiceOf(vehicle))
  const isMissing = driver.vehicle !== null && !found.some((one) => one.value === driver.vehicle?.id)
  function choiceOf(vehicle: Vehicle) {
    const other =
      vehicle.driver && vehicle.driver.id !== driver.id ? t('assign.with', { name: vehicle.driver.name }) : null
    const reason = vehicle.outOfServiceSince ? t('assign.outOfService') : other
    return {
      value: vehicle.id,
      label: reason ? `${nameOf(vehicle)} (${reason})` : nameOf(vehicle),
      disabled: reason !== null,
    }
  }
  const choices =
    isMissing && driver.vehicle ? [{ value: driver.vehicle.id, label: nameOf(driver.vehicle) }, ...found] : found
  return (
    <Select
      label={t('fields.vehicle')}
      data-autofocus
      data={choices}
      nothingFoundMessage={t('common:form.nothingFound')}
      {...field}
      {...input}
      value={value || null}
    />
  )
}

const nameOf = ({ name, plate }: { name: string; plate: string }) => `${name} · ${plate}`
