import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { type DevicePlace, devicePlaces, type ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Alert, Checkbox, MultiSelect, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'
import type { ShipmentValues } from '../shipment-values.ts'

interface DeviceFieldsProps {
  fields: UseFormReturnType<ShipmentValues>
  shipment: ShipmentDetails | null
}

/** The devices with the goods, each at its place; a probe's place is taken once. Under way one that is taken off keeps what it measured there. */
export function DeviceFields({ fields, shipment }: DeviceFieldsProps) {
  const { t } = useTranslation('shipments')
  const { search, field } = useTypedSearch()
  const { devices } = fields.getValues()
  const answer = useCall(shipments.freeDevices, { query: { search: search || undefined } }, { keepPrevious: true })
  const hasLeft = (id: string) => shipment?.devices.some((device) => device.id === id && device.leftAt !== null)
  const found = (answer.data ?? []).flatMap(({ id, name }) => (hasLeft(id) ? [] : [{ value: id, label: name }]))
  const nameOf = (id: string) =>
    devices.find((device) => device.id === id)?.name || answer.data?.find((each) => each.id === id)?.name || id
  const chosen = devices.flatMap(({ id }) =>
    found.some(({ value }) => value === id) ? [] : [{ value: id, label: nameOf(id) }],
  )
  const taken = shipment?.state === 'ongoing' ? takenOff(shipment, devices) : []
  const error = Object.entries(fields.errors).find(([path]) => path.startsWith('devices'))?.[1]
  return (
    <>
      <MultiSelect
        label={t('form.devices')}
        description={t('form.devicesHelp')}
        data={[...chosen, ...found]}
        value={devices.map(({ id }) => id)}
        error={error}
        onChange={(ids) =>
          fields.setFieldValue(
            'devices',
            ids.map(
              (id) =>
                devices.find((device) => device.id === id) ?? {
                  ...{
                    id,
                    name: nameOf(id),
                    place: 'air' as DevicePlace,
                    palletRef: '',
                    sscc: '',
                    ssccUnchecked: false,
                  },
                },
            ),
          )
        }
        {...field}
      />
      {taken.length > 0 && (
        <Alert color="yellow" mt="sm">
          {t('form.takenOff', { names: taken.join(', ') })}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm">
        {devices.map(({ id, place, ssccUnchecked }, index) => (
          <Stack key={id} gap="xs">
            <NativeSelect
              label={t('form.placeOf', { name: nameOf(id) })}
              data={devicePlaces.map((value) => ({ value, label: t(`place.${value}`) }))}
              {...fields.getInputProps(`devices.${index}.place`)}
            />
            {place === 'pallet' && (
              <SimpleGrid cols={2} spacing="xs">
                <TextInput
                  label={t('fields.palletRef')}
                  maxLength={60}
                  {...fields.getInputProps(`devices.${index}.palletRef`)}
                />
                <TextInput label="SSCC" maxLength={40} {...fields.getInputProps(`devices.${index}.sscc`)} />
              </SimpleGrid>
            )}
            {place === 'pallet' && (fields.errors[`devices.${index}.sscc`] || ssccUnchecked) && (
              <Checkbox
                label={`SSCC: ${t('form.unchecked')}`}
                {...fields.getInputProps(`devices.${index}.ssccUnchecked`, { type: 'checkbox' })}
              />
            )}
          </Stack>
        ))}
      </SimpleGrid>
    </>
  )
}

/** The names of the devices of a shipment under way that the form takes off; that of a probe in fruit is refused. */
const takenOff = ({ devices }: ShipmentDetails, kept: ShipmentValues['devices']): string[] =>
  devices.flatMap(({ id, name, place, leftAt }) => {
    const isTaken = leftAt === null && !place.startsWith('pulp') && !kept.some((device) => device.id === id)
    return isTaken ? [name] : []
  })
