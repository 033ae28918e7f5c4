import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import frames from '../../../ui/frames.module.css'
import type { StopValues } from '../order-values.ts'
import type { OrderFields, PlaceTools } from './form-props.ts'

interface StopFieldsProps {
  fields: OrderFields
  /** "pickup", "receivers.0.stop". */
  path: string
  stop: StopValues
  label: string
  tools: PlaceTools
}

/** An address, and its place: found by name or chosen on the map. */
export function StopFields({ fields, path, stop, label, tools }: StopFieldsProps) {
  const { t } = useTranslation('orders')
  const isPinning = tools.pinning === path
  const isPlaced = stop.lat !== null && stop.lon !== null
  const unplaced = fields.errors[`${path}.lat`] && t('form.placeNeeded')
  return (
    <div className={frames.stack}>
      <TextInput
        label={label}
        {...fields.getInputProps(`${path}.address`)}
        error={fields.errors[`${path}.address`] ?? unplaced}
      />
      <Group gap="xs" align="center">
        {tools.search((place) => {
          fields.setFieldValue(path, {
            ...stop,
            address: stop.address.trim() || place.name,
            ...{ lat: place.lat, lon: place.lon, country: place.country ?? undefined, timezone: undefined },
          })
          fields.clearFieldError(`${path}.lat`)
        })}
        <Button
          size="sm"
          // Said at the address: a place that is missing needs no toast besides.
          data-path={`${path}.lat`}
          variant={isPinning ? 'filled' : 'default'}
          leftSection={<IconMapPin size={16} />}
          onClick={() => tools.pin(isPinning ? null : path)}
        >
          {t(isPinning ? 'form.pinning' : 'form.pin')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" data-path={`${path}.lon`}>
        {isPlaced
          ? t('form.placed', { lat: formatNumber(stop.lat ?? 0, 4), lon: formatNumber(stop.lon ?? 0, 4) })
          : t('form.unplaced')}
      </Text>
    </div>
  )
}
