import { instantOf, isShown } from '@isotherm/contract/zone-times.ts'
import { useTranslation } from 'react-i18next'
import { zoneName } from '../../../lib/times.ts'
import { DateField } from '../../../ui/date-field.tsx'
import type { OrderFields } from './form-props.ts'

interface PlaceTimeFieldProps {
  fields: OrderFields
  /** "deliverBy", "receivers.0.windowBy". */
  path: string
  value: string
  label: string
  /** The zone of the place; null: not known yet. */
  zone: string | null
  /** The place in words, until its zone is known. */
  placeText?: string
  /** The clock of a day without one. */
  clockIfNone?: string
}

/** A time by the clock of a place, whose zone stands below it. One that clocks skip there is refused as it is typed. */
export function PlaceTimeField({ fields, path, value, label, zone, placeText, clockIfNone }: PlaceTimeFieldProps) {
  const { t } = useTranslation(['orders', 'errors'])
  const instant = zone === null ? '' : instantOf(value, zone)
  const isSkipped = zone !== null && value.length > 10 && instant !== '' && !isShown(value, zone)
  const input = fields.getInputProps(path)
  return (
    <DateField
      withTime
      label={label}
      description={
        zone === null
          ? (placeText ?? t('orders:form.localTime'))
          : t('orders:form.zoneTime', { zone, offset: zoneName(zone, instant || Date.now()) })
      }
      zone={zone}
      {...(clockIfNone && { clockIfNone })}
      {...input}
      error={isSkipped ? t('errors:fields.rule.localTimeGap', { zone }) : input.error}
    />
  )
}
