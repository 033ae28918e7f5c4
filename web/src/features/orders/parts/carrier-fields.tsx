import { type Driver, drivers } from '@isotherm/contract/drivers.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import { type Order, Rule } from '@isotherm/contract/orders.ts'
import { vehicles } from '@isotherm/contract/vehicles.ts'
import { MultiSelect, NativeSelect, Select, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { useFoundChoice } from '../../../ui/use-found-choice.ts'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'
import type { OrderValues } from '../order-values.ts'
import type { OrderFields } from './form-props.ts'

const perPage = 200

interface CarrierFieldsProps {
  fields: OrderFields
  values: OrderValues
  /** The order that changes: its driver and vehicle are choices, whoever else is. */
  order: Pick<Order, 'driver' | 'vehicle'> | null
}

const driverChoice = ({ id, name, vehicle }: Pick<Driver, 'id' | 'name' | 'vehicle'>) => ({
  ...{ value: id, label: vehicle ? `${name} · ${vehicle.name}` : name },
})
const vehicleChoice = ({ id, name, plate }: { id: string; name: string; plate: string }) => ({
  ...{ value: id, label: `${name} · ${plate}` },
})

/** The driver, the vehicle, and the devices with the goods. */
export function CarrierFields({ fields, values, order }: CarrierFieldsProps) {
  const { t } = useTranslation('orders')
  const driver = useFoundChoice(order?.driver ? driverChoice({ ...order.driver, vehicle: null }) : null)
  const vehicle = useFoundChoice(order?.vehicle ? vehicleChoice(order.vehicle) : null)
  const team = useCall(
    drivers.list,
    { query: { perPage, status: 'active', search: driver.search } },
    { keepPrevious: true },
  )
  const fleet = useCall(vehicles.list, { query: { perPage, search: vehicle.search } }, { keepPrevious: true })
  const people = team.data?.data ?? []
  const usable = (fleet.data?.data ?? []).filter(({ outOfServiceSince }) => outOfServiceSince === null)
  const choose = (id: string) => {
    const chosen = people.find((each) => each.id === id)
    fields.setFieldValue('driverId', id || null)
    if (chosen?.vehicle && values.vehicleId === null) fields.setFieldValue('vehicleId', chosen.vehicle.id)
  }
  // The vehicle of a driver may be none of those that were found.
  const paired = people.find(({ id }) => id === values.driverId)?.vehicle
  const others = paired && !usable.some(({ id }) => id === paired.id) && values.vehicleId === paired.id ? [paired] : []
  const shared = { placeholder: t('form.none'), clearable: true, nothingFoundMessage: t('common:form.nothingFound') }
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('form.driver')}
          {...shared}
          {...fields.getInputProps('driverId')}
          {...driver.propsOf(people.map(driverChoice), values.driverId ?? '', choose)}
        />
        <Select
          label={t('form.vehicle')}
          {...shared}
          {...fields.getInputProps('vehicleId')}
          {...vehicle.propsOf([...others, ...usable].map(vehicleChoice), values.vehicleId ?? '', (id) =>
            fields.setFieldValue('vehicleId', id || null),
          )}
        />
      </SimpleGrid>
      <DeviceFields fields={fields} values={values} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['startRule', 'endRule'] as const).map((name) => (
          <NativeSelect
            key={name}
            label={t(`form.by.${name}`)}
            data={Rule.options.map((value) => ({ value, label: t(`form.rule.${value}`) }))}
            {...fields.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
    </>
  )
}

function DeviceFields({ fields, values }: { fields: OrderFields; values: OrderValues }) {
  const { t } = useTranslation('orders')
  const { search, field } = useTypedSearch()
  const answer = useCall(orders.freeDevices, { query: { search: search || undefined } }, { keepPrevious: true })
  const found = (answer.data ?? []).map(({ id, name, batteryPct }) => ({
    value: id,
    label: batteryPct === null ? name : `${name} · ${formatPercent(batteryPct)}`,
  }))
  const nameOf = (id: string) =>
    values.devices.find((device) => device.id === id)?.name || answer.data?.find((each) => each.id === id)?.name || id
  const chosen = values.devices.flatMap(({ id }) =>
    found.some(({ value }) => value === id) ? [] : [{ value: id, label: nameOf(id) }],
  )
  const error = Object.entries(fields.errors).find(([path]) => path.startsWith('devices'))?.[1]
  const receivers = [
    { value: '', label: t('form.everybody') },
    ...values.receivers.map(({ name }, index) => ({
      value: String(index),
      label: name || t('form.receiver', { number: index + 1 }),
    })),
  ]
  return (
    <>
      <MultiSelect
        label={t('form.devices')}
        description={t('form.devicesHelp')}
        data={[...chosen, ...found]}
        value={values.devices.map(({ id }) => id)}
        error={error}
        onChange={(ids) =>
          fields.setFieldValue(
            'devices',
            ids.map(
              (id) =>
                values.devices.find((device) => device.id === id) ?? {
                  ...{ id, name: nameOf(id), role: 'cargo' as const, receiver: null },
                },
            ),
          )
        }
        {...field}
      />
      {values.receivers.length > 1 &&
        values.devices.map(({ id, receiver }, index) => (
          <NativeSelect
            key={id}
            label={t('form.deviceFor', { name: nameOf(id) })}
            data={receivers}
            value={receiver === null ? '' : String(receiver)}
            onChange={({ currentTarget: { value } }) =>
              fields.setFieldValue(`devices.${index}.receiver`, value === '' ? null : Number(value))
            }
          />
        ))}
    </>
  )
}
