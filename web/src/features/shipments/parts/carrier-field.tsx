import { airlineOfWaybill, airlines, shippingLines } from '@isotherm/contract/carriers.ts'
import { Autocomplete, Button, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { LegValues, ShipmentValues } from '../shipment-values.ts'

const known = { sea: shippingLines, air: airlines, road: [], rail: [] } as const
const labels = { sea: 'shippingLine', air: 'airline', road: 'carrierName', rail: 'carrierName' } as const
/** So many suggestions at once. */
const shown = 8

interface CarrierFieldProps {
  fields: UseFormReturnType<ShipmentValues>
  path: string
  leg: LegValues
}

/** The carrier of a leg: known ones are suggested, any name may be typed. By air the waybill's prefix suggests one, too. */
export function CarrierField({ fields, path, leg }: CarrierFieldProps) {
  const { t } = useTranslation('shipments')
  const meant = leg.mode === 'air' ? airlineOfWaybill(leg.awb)?.name : undefined
  const name = leg.carrierName.trim()
  return (
    <div>
      <Autocomplete
        label={t(`fields.${labels[leg.mode]}`)}
        data={[...known[leg.mode]]}
        limit={shown}
        maxLength={120}
        {...fields.getInputProps(`${path}.carrierName`)}
      />
      {meant && name === '' && (
        <Button size="compact-sm" variant="subtle" onClick={() => fields.setFieldValue(`${path}.carrierName`, meant)}>
          {t('form.useAirline', { airline: meant })}
        </Button>
      )}
      {meant && name !== '' && name.toLowerCase() !== meant.toLowerCase() && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('form.otherAirline', { airline: meant })}
        </Text>
      )}
    </div>
  )
}
