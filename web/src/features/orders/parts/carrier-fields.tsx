import { type Driver, drivers } from '@isotherm/contract/drivers.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import { Rule } from '@isotherm/contract/orders.ts'
import { vehicles } from '@isotherm/contract/vehicles.ts'
import { MultiSelect, NativeSelect, Select, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'
import type { OrderValues } from '../order-values.ts'
import type { OrderFields } from './form-props.ts'

const perPage = 200

/** The driver, the vehicle, and the devices with the goods. */
export function CarrierFields({ fields, values }: { fields: OrderFields; values: OrderValues }) {
  const { t } = useTranslation('orders')
  const team = useCall(drivers.list, { query: { perPage, status: 'active' } })
  const fleet = useCall(vehicles.list, { query: { perPage } })
  const choose = (driver: Driver | undefined) => {
    fields.setFieldValue('driverId', driver?.id ?? null)
    if (driver?.vehicle && values.vehicleId === null) fields.setFieldValue('vehicleId', driver.vehicle.id)
  }
  const people = team.data?.data ?? []
  const usable = (fleet.data?.data ?? []).filter(({ outOfServiceSince }) => outOfServiceSince === null)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('form.driver')}
          placeholder={t('form.none')}
          searchable
          clearable
          data={people.map(({ id, name, vehicle }) => ({
            value: id,
            label: vehicle ? `${name} · ${vehicle.name}` : name,
          }))}
          {...fields.getInputProps('driverId')}
          onChange={(id) => choose(people.find((each) => each.id === id))}
        />
        <Select
          label={t('form.vehicle')}
          placeholder={t('form.none')}
          searchable
          clearable
          data={usable.map(({ id, name, plate }) => ({ value: id, label: `${name} · ${plate}` }))}
          {...fields.getInputProps('vehicleId')}
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
